const plain = (text: string): string => text.toLowerCase().replaceAll('ё', 'е').replace(/^@/u, '').trim();

/** Whether a text contains what was typed: case, «ё» and a leading @ make no difference. */
export const matches = (text: string, search: string): boolean => plain(text).includes(plain(search));
