/**
 * A text for a terminal, which carries out what is in it: control characters but line breaks and tabs, and marks that turn the direction of
 * writing, are shown as \uFFFD. What is told to an operator may quote what somebody else has written, such as the name of a file.
 */
export const printable = (text: string): string =>
  text.replaceAll(/(?![\n\t])[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu, '\uFFFD');
