import { describe, expect, test } from 'vitest';
import { repositoryFiles, textOf } from './repository-files.ts';

/** What a search says that found nothing, without a full stop; spec.md binds the second. */
const said: readonly string[] = ['Ничего не найдено', 'Кампании не найдены'];
/** Said of a page, not of a search. */
const ofPages: readonly string[] = ['Страница не найдена'];

/** The texts of a source that say that nothing was found, as they stand on the screen. */
const foundNothing = (source: string): readonly string[] =>
  [...source.matchAll(/['"`>\n]\s*([^'"`<>{}\n]*(?:не\s+найден|не\s+наш[её]?л|нет\s+совпадений)[^'"`<>{}\n]*)/giu)].map(
    ([, text = '']) => text.trim(),
  );

/** Where a list is searched: a field of that kind, a list that shrinks while typing, or the palette. */
const isSearched = (source: string): boolean => /type="search"|<SearchField\b|aria-autocomplete="list"/u.test(source);

/** They have a field, but their list is drawn by another file, or offers without ruling what may be typed. */
const drawnElsewhere: Readonly<Record<string, string | null>> = {
  'web/src/features/journal/journal-filters.tsx': 'web/src/features/journal/audit-list.tsx',
  'web/src/features/placements/filters/filter-dialog.tsx': 'web/src/features/placements/filters/placements-empty.tsx',
  'web/src/features/placements/filters/table-bar.tsx': 'web/src/features/placements/filters/placements-empty.tsx',
  'web/src/shared/ui/combo-field.tsx': null,
};

describe('words of a search that found nothing', () => {
  const sources = repositoryFiles().filter((path) => /^web\/src\/.+\.tsx$/u.test(path) && !path.includes('.test.'));

  test('ARCH-25 every searchable list says so in one way', () => {
    const texts = sources.flatMap((path) => foundNothing(textOf(path)).map((text) => `${path}: ${text}`));
    expect(texts.length).toBeGreaterThan(7);
    expect(texts.filter((text) => ![...said, ...ofPages].some((one) => text.endsWith(`: ${one}`)))).toEqual([]);
    const lists = sources.filter((path) => isSearched(textOf(path)) && path !== 'web/src/shared/ui/list-bar.tsx');
    expect(lists.length).toBeGreaterThan(8);
    const silent = lists
      .map((path) => (path in drawnElsewhere ? drawnElsewhere[path] : path))
      .filter((path) => typeof path === 'string')
      .filter((path) => !said.some((one) => textOf(path).includes(one)) && !textOf(path).includes('<NothingFound'));
    expect(silent).toEqual([]);
  });

  test('ARCH-26 another wording is found wherever it stands', () => {
    expect(foundNothing("const a = b ? 'Никого не нашлось' : c;")).toEqual(['Никого не нашлось']);
    expect(foundNothing('<p>Ничего не найдено.</p>')).toEqual(['Ничего не найдено.']);
    expect(foundNothing('<p>\n  Креативы не найдены{more}\n</p>')).toEqual(['Креативы не найдены']);
    expect(foundNothing('<b title="Нет совпадений" />')).toEqual(['Нет совпадений']);
    expect(foundNothing('<p>Сначала добавьте канал</p>')).toEqual([]);
  });
});
