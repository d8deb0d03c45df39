/**
 * Counts lines, long functions and import cycles, for docs/structure.md. `npm run structure -- --picture` writes the pictures of
 * the rooms and of the layers into that page; `-- --price-change` also counts what one price change runs through, which takes a Chromium
 * and a minute.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { arrowsOf } from './structure/arrows.ts';
import { circlesIn } from './structure/circles.ts';
import { withPicture } from './structure/flowchart.ts';
import { functionsIn } from './structure/functions.ts';
import { layersPicture } from './structure/layers-picture.ts';
import { roomsPicture } from './structure/rooms-picture.ts';
import { linesOf, sources } from './structure/sources.ts';

const all = sources();
const production = all.filter(({ isTest }) => !isTest);
const tests = all.filter(({ isTest }) => isTest);
const linesIn = (some: typeof all): number => some.reduce((sum, one) => sum + linesOf(one), 0);

const functions = production
  .filter(({ path }) => !path.endsWith('.css'))
  .flatMap(({ path, text }) => functionsIn(path, text))
  .toSorted((a, b) => b.lines - a.lines);
const over = (lines: number) => functions.filter((one) => one.lines > lines);
const arrows = arrowsOf(production);
const circles = circlesIn(arrows);

const rows = [
  ['production lines', linesIn(production)],
  ['production files', production.length],
  ['test lines', linesIn(tests)],
  ['test files', tests.length],
  ['functions over 60 lines', over(60).length],
  ['functions over 100 lines', over(100).length],
  ['functions over 150 lines', over(150).length],
  ['import cycles', circles.length],
] as const;

console.log('| what | figure |\n|---|---|');
for (const [what, figure] of rows) console.log(`| ${what} | ${figure.toLocaleString('en')} |`);
console.log('\nFunctions over 100 lines:');
for (const { name, path, line, lines } of over(100)) console.log(`${lines} ${name} ${path}:${line}`);
console.log('\nImport cycles:');
for (const circle of circles) console.log(`${circle.length}: ${circle.join(', ')}`);

if (process.argv.includes('--picture')) {
  const page = new URL('../docs/structure.md', import.meta.url);
  const withRooms = withPicture(readFileSync(page, 'utf8'), 'The rooms', roomsPicture(arrows));
  writeFileSync(page, withPicture(withRooms, 'The layers of web/src/shared', layersPicture(arrows)));
  console.log('\ndocs/structure.md записан');
}

if (process.argv.includes('--price-change')) {
  const { priceChange } = await import('./structure/price-change.ts');
  const way = await priceChange();
  console.log(`\nOne price change runs through ${way.functions} functions in ${way.files.length} files:`);
  for (const path of way.files) console.log(path);
}
