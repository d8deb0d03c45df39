import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import subsetFont from 'subset-font';

/** Cuts the one font file the interface loads: Latin, Cyrillic and the signs of money, keys and judgement. */
const range = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index)).join('');

const characters = [
  range(0x20, 0x7e),
  range(0xa0, 0xff),
  range(0x400, 0x45f),
  'ҐґӘәҒғҚқҢңӨөҮүҰұҺһ',
  '–—‑‘’‚“”„†•…‰‹›₽№™−×÷≈≠≤≥∞←↑→↓↔↵⇥⌘⌥⇧⌫▲▼◆◇●○■□✓✕',
].join('');

const source = createRequire(import.meta.url).resolve('inter-ui/variable/InterVariable.woff2');
const target = new URL('../src/shared/theme/inter.woff2', import.meta.url);
const font = await subsetFont(await readFile(source), characters, {
  targetFormat: 'woff2',
  keepFeatures: ['kern', 'mark', 'mkmk', 'ccmp', 'locl', 'tnum', 'calt'],
  variationAxes: { wght: { min: 400, max: 700 }, opsz: 14 },
});
await writeFile(target, font);
console.log(`inter.woff2: ${font.length} bytes`);
