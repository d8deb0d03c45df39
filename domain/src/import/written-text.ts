import { formatNumber } from '../russian.ts';
import type { Import } from './state.ts';

/** «добавлено 400, изменено 10, пропущено 5, с ошибками 5»: what became of the rows of an import. */
export const writtenText = ({
  added,
  changed,
  skipped,
  failed,
}: Pick<Import, 'added' | 'changed' | 'skipped' | 'failed'>): string => {
  const parts = (
    [
      ['добавлено', added],
      ['изменено', changed],
      ['пропущено', skipped],
      ['с ошибками', failed],
    ] as const
  ).filter(([, count]) => count > 0);
  return parts.map(([what, count]) => `${what} ${formatNumber(count)}`).join(', ') || 'ничего не записано';
};
