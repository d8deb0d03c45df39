import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const features = fileURLToPath(new URL('../../web/src/features', import.meta.url));

/** Opening tags of what recharts would move into place by itself: at first, and again whenever a figure changes. */
const movingTags = (text: string): readonly string[] =>
  [...text.matchAll(/<(?:Line|Bar|Area|Scatter|Pie|Tooltip)\b[\s\S]*?(?=\n\s*<)/gu)].map(([tag]) => tag);

it('CNT-5 no mark of a picture is animated, neither at first nor when a figure changes', () => {
  const pictures = readdirSync(features, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.tsx'))
    .map((path) => ({ path, text: readFileSync(join(features, path), 'utf8') }))
    .filter(({ text }) => text.includes("from 'recharts'"));
  const tags = pictures.flatMap(({ path, text }) => movingTags(text).map((tag) => `${path}: ${tag}`));
  expect(tags.length).toBeGreaterThan(8);
  expect(tags.filter((tag) => !tag.includes('isAnimationActive={false}'))).toEqual([]);
});
