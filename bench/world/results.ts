import { type Goal, goals } from '../figures.ts';
import type { Measured } from './figure.ts';
import { median } from './statistics.ts';

/** A row of the table. */
export interface Result {
  readonly row: string;
  readonly unit: string;
  readonly on?: 'server' | 'stand-in';
  /** Medians of the run that is told. */
  readonly ours: number;
  readonly beside: number;
  /** Median over the slices of that run; null = the yardstick is 0. */
  readonly ratio: number | null;
  /** That of each run, in the order of the runs. */
  readonly runs: readonly (number | null)[];
  readonly goal: Goal;
  /** Null where there is no goal. */
  readonly reached: boolean | null;
}

const known = (ratio: number): number | null => (Number.isFinite(ratio) ? ratio : null);

/** The worst of the runs of one row, each the median of its slices: by ratio, or by what was measured where only that has a goal. */
export const resultOf = (runs: readonly Measured[]): Result => {
  const told = runs.map(({ row, kind, unit, on, slices }) => ({
    row,
    kind,
    unit,
    on,
    ours: median(slices.map(({ ours }) => ours)),
    beside: median(slices.map(({ beside }) => beside)),
    ratio: median(slices.map(({ ours, beside }) => ours / beside)),
  }));
  const [first] = told;
  const goal = first && goals[first.row];
  if (goal === undefined) throw new Error(`No goal for ${first?.row}`);
  const by = goal.ratio === undefined && goal.most !== undefined ? 'ours' : 'ratio';
  const worst = told.reduce((a, b) => ((b.kind === 'rate' ? b[by] < a[by] : b[by] > a[by]) ? b : a));
  const { row, kind, unit, on, ours, beside, ratio } = worst;
  const most = Math.max(...told.map((run) => run.ours));
  const aimless = goal.ratio === undefined && goal.most === undefined;
  const wanted = goal.ratio;
  const keepsRatio = wanted === undefined || (kind === 'rate' ? ratio >= wanted : ratio <= wanted);
  const reached = aimless ? null : keepsRatio && (kind === 'rate' || most <= (goal.most ?? most));
  const where = on === undefined ? undefined : { on };
  const runsOf = told.map((run) => known(run.ratio));
  return { row, unit, ...where, ours, beside, ratio: known(ratio), runs: runsOf, goal, reached };
};

const shown = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en-US') : value.toFixed(value < 1 ? 3 : 1);
const times = (ratio: number | null): string => (ratio === null ? '–' : `${ratio.toFixed(2)} ×`);

/** The rows as a Markdown table. */
export const tableOf = (results: readonly Result[]): string =>
  [
    '| id | what | beside | ours | yardstick | ratio (worst of the runs) | runs | goal | |',
    '|---|---|---|---|---|---|---|---|---|',
    ...results.map(({ row, unit, on, ours, beside, ratio, runs, goal, reached }) => {
      const sign = unit.endsWith('/s') ? '≥' : '≤';
      const what = on === undefined ? goal.what : `${goal.what} (on a ${on})`;
      const bounds = [
        ...(goal.ratio === undefined ? [] : [`${sign} ${times(goal.ratio)}`]),
        ...(goal.most === undefined ? [] : [`≤ ${goal.most} ${unit}`]),
      ];
      const wanted = bounds.join(', ') || '–';
      const verdict = reached === null ? '' : reached ? 'reached' : 'short of it';
      return `| ${row} | ${what} | ${goal.beside} | ${shown(ours)} ${unit} | ${shown(beside)} ${unit} | ${times(ratio)} | ${runs.map(times).join(', ')} | ${wanted} | ${verdict} |`;
    }),
  ].join('\n');
