/** What texts are compared by: no matter the case, blanks, `ё` and characters that nobody sees. */
export const textKey = (text: string): string =>
  text
    .normalize('NFKC')
    .replaceAll(/[\p{Default_Ignorable_Code_Point}\p{Cc}]/gu, ' ')
    .toLowerCase()
    .replaceAll('ё', 'е')
    .replaceAll(/\s+/gu, ' ')
    .trim();
