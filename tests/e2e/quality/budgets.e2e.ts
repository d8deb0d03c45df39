import { expect, test } from '@playwright/test';
import { type Bundle, readBundle } from './bundle.ts';

/** Kilobytes (1,000 bytes) after gzip. Style sheets and scripts count together unless a budget names one. */
const budgets = { dashboard: 450, lazy: 140, styles: 70, entry: 160 } as const;

const shell = 'src/app/shell.tsx';
const dashboard = ['src/features/dashboard/dashboard-page.tsx', 'src/features/placements/placements-section.tsx'];
/** Has no frame: its chart comes behind the page itself. */
const admin = {
  page: 'src/features/admin/admin-dashboard-page.tsx',
  chart: 'src/features/admin/lag-chart.tsx',
} as const;
/** Paths of all icons by name, which nothing here asks for. */
const iconPaths = /node_modules\/@blueprintjs\/icons/u;

let bundle: Bundle;
test.beforeAll(async () => {
  test.setTimeout(120_000);
  bundle = await readBundle();
});

const loadedAfter = (...sources: readonly string[]): ReadonlySet<string> =>
  new Set([bundle.entry, ...sources].flatMap((source) => [...bundle.filesOf(source)]));
const without = (files: Iterable<string>, known: ReadonlySet<string>): string[] =>
  [...files].filter((file) => !known.has(file));

test('QUAL-1 each lazily loaded part stays within its budget of gzipped kilobytes', () => {
  const framed = loadedAfter(shell);
  const parts = bundle.lazySources.filter((source) => source !== shell);
  expect(parts.filter((source) => iconPaths.test(source))).toEqual([]);
  expect(parts.length).toBeGreaterThan(15);
  expect(parts).toEqual(expect.arrayContaining(Object.values(admin)));
  const before = (source: string): ReadonlySet<string> => (source === admin.chart ? loadedAfter(admin.page) : framed);
  const tooLarge = parts
    .map((source) => ({ source, size: bundle.sizeOf(without(bundle.filesOf(source), before(source))) }))
    .filter(({ size }) => size > budgets.lazy);
  expect(tooLarge).toEqual([]);
  expect(bundle.sizeOf(loadedAfter())).toBeLessThan(budgets.entry);
});

test('QUAL-2 the frame and the dashboard stay within the budget of a first load, styles within theirs', () => {
  const first = [...loadedAfter(shell, ...dashboard)];
  expect(bundle.sizeOf(first)).toBeLessThan(budgets.dashboard);
  expect(bundle.sizeOf(first.filter((file) => file.endsWith('.css')))).toBeLessThan(budgets.styles);
});

test('QUAL-3 charts are drawn by chunks that come after their page, and by nothing that comes before', () => {
  const drawsCharts = (file: string): boolean =>
    file.endsWith('.js') && bundle.textOf(file).includes('recharts-cartesian');
  const pages = bundle.lazySources.filter((source) => source.endsWith('-page.tsx'));
  for (const source of [shell, ...pages, ...dashboard]) {
    const drawing = [...loadedAfter(source)].filter(drawsCharts);
    expect(drawing, source).toEqual([]);
  }
  const charts = bundle.lazySources.filter((source) => [...bundle.filesOf(source)].some(drawsCharts));
  expect(
    charts.every((source) => /^src\/features\/(?:admin|analytics|contractors)\/[a-z-]+-chart\.tsx$/u.test(source)),
    charts.join(', '),
  ).toBe(true);
  expect(charts.length).toBeGreaterThan(0);
});
