import { describe, expect, it } from 'vitest';
import { containing, foldText } from './search-text.ts';

describe('texts as searches compare them', () => {
  it('RSL-10 case, «ё», a leading @ and blanks around make no difference, wherever it stands', () => {
    for (const [text, typed] of [
      ['Ёлка и свёкла', 'елка'],
      ['ЕЛКА', 'ёлка'],
      ['Е\u0308ж', 'ёЖ'],
      ['@Kot_Media', ' @kot'],
      ['kot_media', '@KOT'],
      ['Кот', ''],
      ['Кот', '@'],
    ] as const)
      expect([text, typed, containing(typed)(text)]).toEqual([text, typed, true]);
    expect(containing('кот')('кит')).toBe(false);
    expect(containing('a@b')('ab')).toBe(false);
    expect(foldText('ＭЁД')).toBe('mед');
  });
});
