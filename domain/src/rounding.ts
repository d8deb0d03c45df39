/**
 * Rounding once, half up, from exact operands (NUM-26). Products of kopecks and rates can leave the range in which
 * a float is exact; then quotients are formed over big integers.
 */

const floorOfBig = (numerator: bigint, divisor: bigint): number => {
  const quotient = numerator / divisor;
  return Number(numerator % divisor < 0n ? quotient - 1n : quotient);
};

// The remainder of two safe integers is exact, and so is what is left to divide.
const floorOf = (numerator: number, divisor: number): number => {
  const rest = numerator % divisor;
  return (numerator - rest) / divisor - (rest < 0 ? 1 : 0) + 0;
};

/** `value × factor / divisor` as the nearest whole number, a half upwards. Whole operands, `divisor` > 0. */
export const proportion = (factor: bigint, divisor: bigint): ((value: number) => number) => {
  const [times, by] = [Number(factor), Number(divisor)];
  const exact = Number.isSafeInteger(times) && Number.isSafeInteger(2 * by);
  return (value) => {
    const doubled = 2 * value * times;
    return exact && Number.isSafeInteger(doubled) && Number.isSafeInteger(doubled + by)
      ? floorOf(doubled + by, 2 * by)
      : floorOfBig(2n * BigInt(value) * factor + divisor, 2n * divisor);
  };
};

/** `value × factor / divisor` rounded down. Whole operands, `divisor` > 0. */
export const proportionDown = (factor: bigint, divisor: bigint): ((value: number) => number) => {
  const [times, by] = [Number(factor), Number(divisor)];
  const exact = Number.isSafeInteger(times) && Number.isSafeInteger(by);
  return (value) => {
    const product = value * times;
    return exact && Number.isSafeInteger(product) ? floorOf(product, by) : floorOfBig(BigInt(value) * factor, divisor);
  };
};

/** `numerator / denominator` as the nearest whole number, a half upwards; 0 when the divisor is 0. Whole operands. */
export const divideHalfUp = (numerator: number, denominator: number): number => {
  if (denominator === 0) return 0;
  const doubled = 2 * numerator + denominator;
  return Number.isSafeInteger(doubled) && Number.isSafeInteger(2 * denominator)
    ? floorOf(doubled, 2 * denominator)
    : proportion(1n, BigInt(denominator))(numerator);
};

/** `numerator / denominator × factor` with two decimals, a half upwards; 0 when the divisor is 0. Whole operands. */
export const ratio = (numerator: number, denominator: number, factor = 1): number =>
  denominator === 0 ? 0 : proportion(100n * BigInt(factor), BigInt(denominator))(numerator) / 100;

/** A finite decimal number as `units / scale`, exactly as its shortest decimal text reads: 12.5 → 125 / 10. */
export const decimal = (value: number): { readonly units: bigint; readonly scale: bigint } => {
  const [mantissa = '0', exponent = '0'] = String(value).split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  const shift = fraction.length - Number(exponent);
  const digits = BigInt(`${whole}${fraction}`);
  return shift >= 0
    ? { units: digits, scale: 10n ** BigInt(shift) }
    : { units: digits * 10n ** BigInt(-shift), scale: 1n };
};
