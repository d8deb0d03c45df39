import type { Page } from '@playwright/test';
import { inFreshPage, startBrowser, untilHolds } from './world/browser.ts';
import { report, type Slice } from './world/figure.ts';
import { quantile } from './world/statistics.ts';
import { filledFolder, isWhole, pageScript, tableWorld } from './world/table-world.ts';

// P10: the placements of a campaign of 100,000 in one list, scrolled fast while 200 changes a second arrive: p99 of the frames, beside a
// list written by hand with the same rows and changes in the same browser.

/** Fewer for a first look: `BENCH_RUNS=1 BENCH_SLICES=1`. */
const [runCount, sliceCount] = [Number(process.env['BENCH_RUNS'] ?? 3), Number(process.env['BENCH_SLICES'] ?? 5)];
const perSecond = 200;
/** Before a slice: changes arrive and nobody scrolls. */
const settling = 2000;
const scrolling = { pixelsPerSecond: 15_000, milliseconds: 4000 };

/** What `measureScroll` of the page answers. */
interface Scrolled {
  /** Milliseconds of each frame. */
  readonly frames: readonly number[];
  /** Frames without a row in the middle of the list. */
  readonly bare: number;
  /** Milliseconds of each task above 50 ms. */
  readonly longTasks: readonly number[];
}

interface Measured extends Scrolled {
  /** Milliseconds until all rows could be scrolled through. */
  readonly loaded: number;
}

const world = await tableWorld(await filledFolder());
const browser = await startBrowser();
const scripts = [await pageScript('frames.js')];
const rates: number[] = [];

const scrolled = async (page: Page, ready: string, list: { selector: string; row: string }): Promise<Measured> => {
  const loaded = await untilHolds(page, ready);
  await world.begin(perSecond);
  await page.waitForTimeout(settling);
  const wanted = JSON.stringify({ ...list, ...scrolling });
  const result = await page.evaluate<Scrolled>(`window.measureScroll(${wanted})`);
  rates.push(await world.end());
  return { ...result, loaded };
};

let size = { width: 0, height: 0 };
const ours = async (): Promise<Measured> =>
  inFreshPage(browser, { storage: await world.storage(), scripts }, async (page) => {
    await page.goto(world.pageOf('full'));
    const total = page.locator('.z-grid-foot');
    await untilHolds(page, isWhole);
    const before = await total.textContent();
    const measured = await scrolled(page, isWhole, { selector: '.z-grid', row: '.z-grid-row' });
    if ((await total.textContent()) === before) throw new Error('No change has arrived');
    size = await page.evaluate<typeof size>(
      `(({ clientWidth: width, clientHeight: height }) => ({ width, height }))(document.querySelector('.z-grid'))`,
    );
    return measured;
  });
const beside = (): Promise<Measured> =>
  inFreshPage(browser, { scripts }, async (page) => {
    await page.goto(world.listPage(size));
    return scrolled(page, `'ready' in document.documentElement.dataset`, { selector: '#list', row: '.row' });
  });

interface Pair {
  readonly ours: Measured;
  readonly beside: Measured;
}

const told = (each: readonly Measured[]) => {
  const frames = each.flatMap((one) => one.frames);
  const longTasks = each.flatMap((one) => one.longTasks);
  return {
    frames: frames.length,
    p50: Math.round(quantile(frames, 0.5)),
    worst: Math.round(Math.max(...frames)),
    bareFrames: each.reduce((sum, one) => sum + one.bare, 0),
    longTasks: longTasks.length,
    longestTask: Math.round(Math.max(0, ...longTasks)),
    loadedMs: each.map((one) => Math.round(one.loaded)),
  };
};

for (let run = 0; run < runCount; run += 1) {
  const pairs: Pair[] = [];
  for (let slice = 0; slice < sliceCount; slice += 1) {
    const our = await ours();
    pairs.push({ ours: our, beside: await beside() });
  }
  const slices = pairs.map(
    (pair): Slice => ({ ours: quantile(pair.ours.frames, 0.99), beside: quantile(pair.beside.frames, 0.99) }),
  );
  report([{ row: 'P10', kind: 'time', unit: 'ms', slices }], {
    changesPerSecond: rates.splice(0).map(Math.round),
    ours: told(pairs.map((pair) => pair.ours)),
    beside: told(pairs.map((pair) => pair.beside)),
  });
}
await browser.close();
await world.close();
process.exit(0);
