/** Words and numbers beside a chart. */
export const axisText = { fill: 'var(--text-3)', fontSize: 11.5 } as const;

/** An axis without a line of its own: the grid is enough. */
export const axis = { axisLine: false, tickLine: false, tick: axisText } as const;

/** Around a chart whose days or sums stand below it. */
export const chartMargin = { top: 8, right: 8, bottom: 0, left: 0 } as const;

/** Height in px of a picture with a bar for each of so many. */
export const rankingHeight = (count: number): number => Math.max(120, count * 28 + 40);
