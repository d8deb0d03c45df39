import { expect, it } from 'vitest';
import { mostRows, pastedBlock } from './pasted-block.ts';

const rowsIn = (text: string, html: string | null = null) => {
  const block = pastedBlock({ text, html });
  return block.kind === 'block' ? block.rows : block.kind;
};

it('PST-2210 cells are parted by tabs, rows by any line break; quotes hold both and doubled quotes, and a blank end is none', () => {
  expect(rowsIn('a\tb\r\nc\td\r\n')).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ]);
  expect(rowsIn('5400\r\n')).toEqual([['5400']]);
  expect(rowsIn('a\t"b\nc ""d"" \t e"\n"f"\tg\n\n\n')).toEqual([
    ['a', 'b\nc "d" \t e'],
    ['f', 'g'],
  ]);
  expect(rowsIn('a\t"не закрыта\nb\tc')).toEqual([
    ['a', '"не закрыта'],
    ['b', 'c'],
  ]);
  expect(rowsIn('"a" b\tc')).toEqual([['"a" b', 'c']]);
  expect(rowsIn('a\t\t\n\tb')).toEqual([
    ['a', '', ''],
    ['', 'b'],
  ]);
  expect(rowsIn('\n \n\t\n')).toBe('nothing');
});

it('PST-2211 an apostrophe that keeps a formula from being one is left out, and nothing else of a cell', () => {
  expect(rowsIn("'=1+1\t'нет\t\u200b@ivan\u202e\t\u00a05\u00a0400\u00a0₽")).toEqual([
    ['=1+1', "'нет", '\u200b@ivan\u202e', '\u00a05\u00a0400\u00a0₽'],
  ]);
});

it('PST-2212 lines of a chat are parted by what parts all of them alike, and never in the middle of a number', () => {
  expect(rowsIn('@ivan 5400 15.11\n\n@anna 3к 16.11')).toEqual([
    ['@ivan', '5400', '15.11'],
    ['@anna', '3к', '16.11'],
  ]);
  expect(pastedBlock({ text: '@ivan; 5 400; 15.11', html: null })).toEqual({
    kind: 'block',
    rows: [['@ivan', '5 400', '15.11']],
    isGuessed: true,
  });
  expect(rowsIn('t.me/ivan   5 400\nt.me/anna  300')).toEqual([
    ['t.me/ivan', '5 400'],
    ['t.me/anna', '300'],
  ]);
  expect(rowsIn('@ivan 5 400 15.11')).toEqual([['@ivan 5 400 15.11']]);
  expect(rowsIn('@ivan 5400\n@anna')).toEqual([['@ivan 5400'], ['@anna']]);
  expect(rowsIn('договорились; оплата позже')).toEqual([['договорились; оплата позже']]);
  expect(rowsIn('Иван Петров\nАнна')).toEqual([['Иван Петров'], ['Анна']]);
});

it('PST-2213 a table of a page is read where the text has fewer cells, as text alone', () => {
  const html =
    '<meta><style>td{}</style><table><tr><th>Ник<td onclick="x()">Цена<script>throw 1</script></tr>' +
    '<tr><td><img src=x onerror="throw 1">@ivan<br>вторая <td colspan=2>5&nbsp;400 ₽<td>  a \n b</table>';
  expect(rowsIn('Ник Цена @ivan', html)).toEqual([
    ['Ник', 'Цена'],
    ['@ivan\nвторая', '5 400 ₽', '', 'a\nb'],
  ]);
  expect(rowsIn('a\tb', '<table><tr><td>x<td>y<td>z</table>')).toEqual([['a', 'b']]);
  expect(rowsIn('5400\n\n3000', '<table><tr><td>5400<tr><td><tr><td>3000</table>')).toEqual([['5400'], [''], ['3000']]);
  expect(rowsIn('просто текст', '<b>просто текст</b>')).toEqual([['просто текст']]);
  expect(rowsIn('', '<table></table>')).toBe('nothing');
});

it('PST-2214 more rows, cells or characters than are pasted at a time are not taken', () => {
  const lines = (count: number, line: string): string => Array<string>(count).fill(line).join('\n');
  expect(rowsIn(lines(mostRows, 'a\tb'))).toHaveLength(mostRows);
  expect(rowsIn(lines(mostRows + 1, 'a\tb'))).toBe('tooLarge');
  expect(rowsIn(lines(mostRows + 1, 'a'))).toBe('tooLarge');
  expect(rowsIn(lines(101, Array<string>(100).fill('1').join('\t')))).toBe('tooLarge');
  expect(rowsIn('a'.repeat(4_000_001))).toBe('tooLarge');
  expect(rowsIn('a', `<table>${'<tr><td>1<td>2'.repeat(mostRows + 1)}</table>`)).toBe('tooLarge');
});
