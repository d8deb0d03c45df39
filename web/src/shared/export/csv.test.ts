import { describe, expect, it } from 'vitest';
import { csvOf } from './csv.ts';

describe('a table as CSV', () => {
  it('WEXP-1 has a BOM, semicolons, decimal commas, and no text that Excel would calculate', () => {
    const text = csvOf(
      ['Контрагент', 'Цена'],
      [
        ['@anna', 5400.5],
        ['=1+1;"x"', null],
      ],
    );
    expect(csvOf(['a,=1'], [['x\t=1'], ['＝1+1'], ["'=1"]])).toBe('\u{feff}"a,=1"\r\n"x\t=1"\r\n\'＝1+1\r\n\'\'=1\r\n');
    expect(text).toBe('\u{feff}Контрагент;Цена\r\n\'@anna;5400,5\r\n"\'=1+1;""x""";\r\n');
  });
});
