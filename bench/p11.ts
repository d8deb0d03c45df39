import type { Page } from '@playwright/test';
import { inFreshPage, startBrowser, untilHolds } from './world/browser.ts';
import { type Measured, report, type Slice } from './world/figure.ts';
import { median, quantile } from './world/statistics.ts';
import { filledFolder, isWhole, pageScript, tableWorld } from './world/table-world.ts';

// P11: how the page with a table of 100,000 placements paints, how still it stands and how fast it answers, beside the same app with an empty
// table; once while nothing arrives and once while 200 changes a second do.

/** Fewer for a first look: `BENCH_RUNS=1 BENCH_SLICES=1`. */
const [runCount, sliceCount] = [Number(process.env['BENCH_RUNS'] ?? 3), Number(process.env['BENCH_SLICES'] ?? 5)];
const perSecond = 200;
/** Milliseconds between two inputs: each has its own paint, and a person is not faster. */
const between = 150;

/** What `vitalsSoFar` of the page answers, in milliseconds. */
interface Vitals {
  readonly largestPaint: number;
  readonly shift: number;
  /** Those of at least 16 ms. */
  readonly interactions: readonly { readonly duration: number; readonly name: string; readonly worked: number }[];
  readonly longTasks: readonly { readonly startTime: number; readonly duration: number }[];
}

interface Visit {
  /** Until the table stood. */
  readonly loaded: number;
  readonly largestPaint: number;
  readonly shift: number;
  readonly responsiveness: { readonly quiet: number; readonly live: number };
  readonly slowest: readonly string[];
  readonly longTasks: { readonly loading: readonly number[]; readonly live: readonly number[] };
}

const world = await tableWorld(await filledFolder());
const browser = await startBrowser();
const scripts = [await pageScript('vitals.js')];

const soFar = (page: Page): Promise<Vitals> => page.evaluate<Vitals>('window.vitalsSoFar()');

/** What can be done with a table that has no rows too: the palette, the dialog of a new placement. */
const anywhere = async (act: (input: () => Promise<void>) => Promise<void>, page: Page): Promise<void> => {
  const press = (key: string) => act(() => page.keyboard.press(key));
  await press('Control+k');
  for (const key of ['к', 'у', 'х']) await act(() => page.keyboard.type(key));
  await press('Escape');
  await act(() => page.getByRole('heading', { name: 'Размещения' }).click());
  await press('Control+Enter');
  await act(() => page.getByRole('dialog').getByLabel('Цена, ₽').click());
  for (const key of ['1', '5', '0']) await act(() => page.keyboard.type(key));
  await press('Escape');
  // It asks before it throws away what was typed.
  await act(() => page.getByRole('alertdialog').getByRole('button', { name: 'Закрыть', exact: true }).click());
};

const inTable = async (act: (input: () => Promise<void>) => Promise<void>, page: Page): Promise<void> => {
  const press = (key: string) => act(() => page.keyboard.press(key));
  const cell = (row: number, column: string) => page.locator('.z-grid-row').nth(row).locator(`.z-grid-${column}`);
  await act(() => cell(3, 'leads').click());
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'PageDown', 'PageDown', 'ArrowLeft', 'ArrowLeft'])
    await press(key);
  await press('Enter');
  for (const key of ['7', '7']) await act(() => page.keyboard.type(key));
  await press('Escape');
  for (const header of ['Цена', 'Контрагент', 'Дата'])
    await act(() => page.getByRole('columnheader', { name: header }).getByRole('button').click());
  await press('Control+f');
  for (const key of ['_', '1', '2']) await act(() => page.keyboard.type(key));
  for (let count = 0; count < 3; count += 1) await press('Backspace');
};

/** Of fewer than fifty interactions the slowest, as the browser's own figure has it; those that are not told were below 16 ms. */
const slowestOf = (interactions: Vitals['interactions']): number =>
  Math.max(16, ...interactions.map(({ duration }) => duration));

const visit = async (table: 'full' | 'empty'): Promise<Visit> =>
  inFreshPage(browser, { storage: await world.storage(), scripts }, async (page) => {
    await page.goto(world.pageOf(table));
    const stands = table === 'full' ? isWhole : `document.querySelector('.z-placements-empty') !== null`;
    const loaded = await untilHolds(page, stands);
    await page.waitForTimeout(1000);
    const first = await soFar(page);
    const act = async (input: () => Promise<void>): Promise<void> => {
      await input();
      await page.waitForTimeout(between);
    };
    const acted = async (): Promise<Vitals['interactions']> => {
      const before = await soFar(page);
      await anywhere(act, page);
      if (table === 'full') await inTable(act, page);
      const { interactions } = await soFar(page);
      return interactions.slice(before.interactions.length);
    };
    const quiet = await acted();
    await world.begin(perSecond);
    await page.waitForTimeout(1000);
    const begun = Number(await page.evaluate('performance.now()'));
    const live = await acted();
    await world.end();
    const { longTasks } = await soFar(page);
    const slowest = [...quiet, ...live].toSorted((a, b) => b.duration - a.duration).slice(0, 5);
    return {
      loaded,
      largestPaint: first.largestPaint,
      shift: first.shift,
      responsiveness: { quiet: slowestOf(quiet), live: slowestOf(live) },
      slowest: slowest.map(({ name, duration, worked }) => `${name} ${duration} (${Math.round(worked)})`),
      longTasks: {
        loading: longTasks.filter(({ startTime }) => startTime < loaded).map(({ duration }) => duration),
        live: longTasks.filter(({ startTime }) => startTime >= begun).map(({ duration }) => duration),
      },
    };
  });

interface Pair {
  readonly ours: Visit;
  readonly beside: Visit;
}

const rowsOf = (pairs: readonly Pair[]): readonly Measured[] => {
  const each = (row: string, unit: string, of: (visit: Visit) => number): Measured => ({
    row,
    kind: 'time',
    unit,
    slices: pairs.map((pair): Slice => ({ ours: of(pair.ours), beside: of(pair.beside) })),
  });
  const p75 = (row: string, of: (visit: Visit) => number): Measured => {
    const visits = each(row, 'ms', of).slices;
    const ofAll = (side: keyof Slice): number =>
      quantile(
        visits.map((slice) => slice[side]),
        0.75,
      );
    return { row, kind: 'time', unit: 'ms', slices: [{ ours: ofAll('ours'), beside: ofAll('beside') }] };
  };
  return [
    p75('P11 INP', (one) => one.responsiveness.quiet),
    p75('P11 INP live', (one) => one.responsiveness.live),
    each('P11 LCP', 'ms', (one) => one.largestPaint),
    each('P11 CLS', '', (one) => one.shift),
  ];
};

const told = (visits: readonly Visit[]) => {
  const longTasks = (when: 'loading' | 'live') => {
    const all = visits.flatMap((one) => one.longTasks[when]);
    return { count: all.length, longest: Math.round(Math.max(0, ...all)) };
  };
  return {
    loadedMs: Math.round(median(visits.map((one) => one.loaded))),
    slowest: visits.map((one) => one.slowest.join(', ')),
    longTasks: { loading: longTasks('loading'), live: longTasks('live') },
  };
};

for (let run = 0; run < runCount; run += 1) {
  const pairs: Pair[] = [];
  for (let slice = 0; slice < sliceCount; slice += 1) {
    const ours = await visit('full');
    pairs.push({ ours, beside: await visit('empty') });
  }
  report(rowsOf(pairs), {
    ours: told(pairs.map((pair) => pair.ours)),
    beside: told(pairs.map((pair) => pair.beside)),
  });
}
await browser.close();
await world.close();
process.exit(0);
