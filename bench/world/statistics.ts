/** The middle of the values; of an even number the mean of the two in the middle. */
export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** The value at a share of the sorted values, between neighbours by proportion. NaN of none. */
export const quantile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const below = sorted[Math.floor(at)] ?? Number.NaN;
  const above = sorted[Math.ceil(at)] ?? Number.NaN;
  return below + (above - below) * (at - Math.floor(at));
};
