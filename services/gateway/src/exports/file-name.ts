/** Characters that file systems refuse, or that hide what a name is. */
const unfit = /[\\/:*?"<>\p{Cc}\p{Cf}\p{Cs}]+/gu;
const maxLength = 80;

/** A part of a file's name from what a person typed; empty when nothing of it may stay. */
export const fileNamePart = (text: string): string =>
  Array.from(
    text
      .replaceAll(/\s*\|\s*/gu, ' - ')
      .replaceAll(unfit, ' ')
      .replaceAll(/\s+/gu, ' '),
  )
    .slice(0, maxLength)
    .join('')
    .replaceAll(/^[\s.]+|[\s.]+$/gu, '');

const encoded = (name: string): string =>
  encodeURIComponent(name).replaceAll(
    /['()*]/gu,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** `Content-Disposition` of a download: the name as RFC 5987 has it, and a plain one for who does not know that. */
export const attachment = (name: string, plain: string): string =>
  `attachment; filename="${plain}"; filename*=UTF-8''${encoded(name)}`;
