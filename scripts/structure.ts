/**
 * Counts what the code is like to live in, for docs/structure.md. `npm run structure -- --price-change` also counts what one price change
 * runs through, which takes a Chromium and a minute.
 */
import { arrowsOf } from './structure/arrows.ts';
import { circlesIn } from './structure/circles.ts';
import { functionsIn } from './structure/functions.ts';
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
const circles = circlesIn(arrowsOf(production));

const rows = [
  ['production lines', linesIn(production)],
  ['production files', production.length],
  ['test lines', linesIn(tests)],
  ['test files', tests.length],
  ['functions over 60 lines', over(60).length],
  ['functions over 100 lines', over(100).length],
  ['functions over 150 lines', over(150).length],
  ['circles of imports', circles.length],
] as const;

console.log('| what | figure |\n|---|---|');
for (const [what, figure] of rows) console.log(`| ${what} | ${figure.toLocaleString('en')} |`);
console.log('\nFunctions over 100 lines:');
for (const { name, path, line, lines } of over(100)) console.log(`${lines} ${name} ${path}:${line}`);
console.log('\nCircles:');
for (const circle of circles) console.log(`${circle.length}: ${circle.join(', ')}`);

if (process.argv.includes('--price-change')) {
  const { priceChange } = await import('./structure/price-change.ts');
  const way = await priceChange();
  console.log(`\nOne price change runs through ${way.functions} functions in ${way.files.length} files:`);
  for (const path of way.files) console.log(path);
}
