import { containing } from '@zakup/domain/search-text';

/** Whether a text contains what was typed: case, «ё» and a leading @ make no difference. */
export const matches = (text: string, search: string): boolean => containing(search)(text);
