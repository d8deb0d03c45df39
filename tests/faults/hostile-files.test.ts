import { readLeadsCell, readPriceCell } from '@zakup/command/import/cells';
import { guessDateOrder, readDate } from '@zakup/command/import/dates';
import { readTable } from '@zakup/command/import/file/read-table';
import { workbook } from '@zakup/command/testing/workbook';
import { describe, expect, test } from 'vitest';
import { watchedTurns } from './held-turns.ts';

/** Milliseconds of processor time that a file may hold the thread at a stretch; what is refused here held it for seconds. */
const bound = 250;
const text = (...parts: readonly string[]) => Buffer.from(`a;b\n${parts.join('')}\n`);
const heading = '<row r="1"><c r="A1" t="inlineStr"><is><t>Ник</t></is></c></row>';

describe('files that are made to cost much', () => {
  test.each([
    ['a quoted cell of quotes alone', () => text('"', '""'.repeat(9_900_000), '"')],
    ['a record of separators alone', () => text(';'.repeat(5_000_000))],
    ['a heading of separators alone', () => Buffer.from(`${';'.repeat(5_000_000)}x\n1;2`)],
    ['one cell', () => text('1;', 'x'.repeat(19_900_000))],
    ['line ends alone', () => text('\n'.repeat(19_900_000))],
    ['a tag of one long name', () => workbook({ rows: `${heading}<row ${'a'.repeat(250_000)}></row>` })],
    ['a tag of blanks', () => workbook({ rows: `${heading}<row a${' '.repeat(250_000)}></row>` })],
    [
      'a format of brackets',
      () => workbook({ rows: `${heading}<row><c s="1"><v>1</v></c></row>`, formats: ['', '['.repeat(250_000)] }),
    ],
    ['a row that is far below', () => workbook({ rows: `${heading}<row r="1048576"/>` })],
    ['a text without an end', () => workbook({ rows: `${heading}<row><c><v>${'1'.repeat(40_000_000)}</v></c></row>` })],
  ])('LOOP-2300 let others have their turn: %s', async (_, file) => {
    const bytes = file();
    await new Promise(setImmediate);
    const turns = watchedTurns();
    await readTable(bytes);
    await new Promise(setImmediate);
    expect(turns.stop()).toBeLessThan(bound);
  });

  test('LOOP-2301 a cell of blanks holds nobody up', async () => {
    const cell = `1${' '.repeat(190_000)}x`;
    await new Promise(setImmediate);
    const turns = watchedTurns();
    expect([readPriceCell(cell).kind, readLeadsCell(cell).kind, readDate(cell, 'dmy', 0)]).toEqual([
      'wrong',
      'wrong',
      null,
    ]);
    expect(guessDateOrder([cell])).toBe('dmy');
    await new Promise(setImmediate);
    expect(turns.stop()).toBeLessThan(bound);
  });
});
