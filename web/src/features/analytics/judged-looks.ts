import type { PricePoint } from './report-figures.ts';

/** How a contractor's mark and its line of the legend look: one colour and one shape for both. */
interface JudgedLook {
  /** Of the legend. */
  readonly className: string;
  readonly sign: string;
  readonly words: string;
  /** Of the mark. */
  readonly fill: string;
  /** Around 0, 0; told apart also without colour. */
  readonly path: string;
}

const look = (tone: 'good' | 'mid' | 'bad', sign: string, words: string, path: string): JudgedLook => ({
  className: `z-${tone}`,
  sign,
  words,
  fill: `var(--${tone})`,
  path,
});

export const judgedLooks: Readonly<Record<PricePoint['judged'], JudgedLook>> = {
  good: look('good', '▼', 'до 100\u00a0₽', 'M-6,-5 L6,-5 L0,6 Z'),
  middle: look('mid', '◆', 'до 200\u00a0₽', 'M0,-7 L7,0 L0,7 L-7,0 Z'),
  bad: look('bad', '▲', 'выше', 'M-6,5 L6,5 L0,-6 Z'),
};
