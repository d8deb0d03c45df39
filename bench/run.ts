import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '@zakup/sqlite/engine';
import { bundle } from '../scripts/start/bundle.ts';
import { freshServerBuild } from '../scripts/start/server-build.ts';
import { freshWebBuild } from '../scripts/start/web-build.ts';
import { type Figure, figures } from './figures.ts';
import { foundChromium } from './world/browser.ts';
import type { Measured } from './world/figure.ts';
import { type Result, resultOf, tableOf } from './world/results.ts';

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '');
const resultsFile = join(root, 'bench/results.json');
const page = join(root, 'docs/benchmarks.md');
const [begins, ends] = ['<!-- results:begin -->', '<!-- results:end -->'];

interface Outcome {
  readonly rows: readonly Measured[];
  readonly notes: Readonly<Record<string, unknown>>;
}

const isFigure = (name: string): name is Figure => Object.hasOwn(figures, name);

const needsBrowser = (name: Figure): boolean => 'browser' in figures[name];

const wantedFigures = (): readonly Figure[] => {
  const names = process.argv.slice(2);
  const unknown = names.filter((name) => !isFigure(name));
  if (unknown.length > 0) {
    console.error(`Unknown: ${unknown.join(', ')}. There are: ${Object.keys(figures).join(', ')}`);
    process.exit(1);
  }
  const wanted = names.length > 0 ? names.filter(isFigure) : Object.keys(figures).filter(isFigure);
  return wanted.filter((name) => {
    const isPossible = !needsBrowser(name) || foundChromium() !== null;
    if (!isPossible) console.error(`${name} is skipped: there is no Chromium. CHROMIUM_PATH names one.`);
    return isPossible;
  });
};

/** Builds what is measured and what measures it: plain JavaScript, as `npm start` runs it. */
const build = async (wanted: readonly Figure[]): Promise<void> => {
  await freshServerBuild(root);
  if (wanted.some(needsBrowser)) await freshWebBuild(root);
  await bundle(root, 'bench/dist', {
    ...Object.fromEntries(Object.keys(figures).map((name) => [name, `bench/${name}.ts`])),
    'bare-tail': 'bench/bare/bare-tail.ts',
    'bare-writer.worker': 'bench/bare/bare-writer.worker.ts',
    'commands-load': 'bench/load/commands-load.ts',
    'greedy-load': 'bench/load/greedy-load.ts',
    'table-load': 'bench/load/table-load.ts',
    'table-server': 'bench/load/table-server.ts',
    'reading-worker': 'services/standalone/src/reading/reading-worker.ts',
    'servers-reading-worker': 'services/gateway/src/reading-thread/servers-reading-worker.ts',
    'projecting-worker': 'services/standalone/src/projecting/projecting-worker.ts',
    'standin-eventstoredb': 'scripts/standin-eventstoredb.ts',
    'watchers-load': 'bench/load/watchers-load.ts',
    'writer-worker': 'packages/event-store/src/sqlite/writer-worker.ts',
    'hashing-worker': 'packages/credentials/src/hashing/hashing-worker.mjs',
  });
};

const start = async (figure: Figure): Promise<readonly Outcome[]> => {
  const child = spawn(process.execPath, [join(root, 'bench/dist', `${figure}.js`)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (data) => {
    output += String(data);
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${figure} failed`);
  return output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Outcome);
};

const sqliteVersion = (): string => {
  const db = openDatabase(':memory:');
  const row = db.prepare('SELECT sqlite_version() AS version').get() as { version: string };
  db.close();
  return row.version;
};

const measure = async (figure: Figure): Promise<readonly Result[]> => {
  const outcomes: Outcome[] = [];
  const loads = [loadavg()[0] ?? 0];
  for (let run = 0; run < figures[figure].times; run += 1) {
    outcomes.push(...(await start(figure)));
    loads.push(loadavg()[0] ?? 0);
  }
  const notes = { ...outcomes.at(-1)?.notes, load: loads.map((load) => Number(load.toFixed(1))) };
  const rows = outcomes[0]?.rows.map(({ row }) => row) ?? [];
  return rows.map((row) => ({
    ...resultOf(outcomes.flatMap((outcome) => outcome.rows.filter((measured) => measured.row === row))),
    notes,
  }));
};

const wanted = wantedFigures();
await build(wanted);
const machine = {
  cores: cpus().length,
  memoryGb: Math.round(totalmem() / 2 ** 30),
  node: process.versions.node,
  sqlite: sqliteVersion(),
};
const earlier = await readFile(resultsFile, 'utf8').then(
  (text) => (JSON.parse(text) as { results: Result[] }).results,
  () => [],
);
const results = new Map(earlier.map((result) => [result.row, result]));
for (const figure of wanted) {
  console.log(`${figure} …`);
  const measured = await measure(figure);
  for (const result of measured) results.set(result.row, result);
  console.log(tableOf(measured));
}
const all = [...results.values()].sort((a, b) => (a.row < b.row ? -1 : 1));
await writeFile(resultsFile, `${JSON.stringify({ machine, results: all }, null, 2)}\n`);
const facts = `Measured on ${machine.cores} cores, ${machine.memoryGb} GB, Node ${machine.node}, SQLite ${machine.sqlite}.`;
const text = await readFile(page, 'utf8');
const [before = '', after = ''] = [text.split(begins)[0], text.split(ends)[1]];
await writeFile(page, `${before}${begins}\n${facts}\n\n${tableOf(all)}\n${ends}${after}`);
