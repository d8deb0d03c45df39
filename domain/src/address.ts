/** What a browser passes over when it reads an address: blanks and control characters before it, tabs and line ends anywhere. */
const passedOver = /^[\p{Cc}\p{Z}]+|[\t\n\r]+/gu;
const scheme = /^([a-z][a-z0-9+.-]*):/iu;
/** A picture that is nothing but dots: what SVG may hold besides is not looked at. */
const dots = /^data:image\/(?:png|jpe?g|gif|webp|avif);base64,[a-z0-9+/=\s]*$/iu;

/** `javascript` of ` JAVA\nSCRIPT:alert(1)`, as a browser reads it; `null` = the text has none. */
export const schemeOf = (text: string): string | null =>
  scheme.exec(text.replaceAll(passedOver, ''))?.[1]?.toLowerCase() ?? null;

/** Whether a text may be where a link leads: a page of the web or of Telegram. What has no scheme is no address of another place. */
export const isLink = (text: string): boolean => ['http', 'https', 'tg'].includes(schemeOf(text) ?? '');

/** Whether a text is a picture by itself that nothing but a picture can be made of. */
export const isPictureInText = (text: string): boolean => dots.test(text.trim());

/** Emoji, letters, a picture within the text or an address of the web: CHN-1. */
export const isAvatar = (text: string): boolean =>
  ['http', 'https', null].includes(schemeOf(text)) || isPictureInText(text);
