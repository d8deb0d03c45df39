/**
 * Rounding once, half up, from exact operands (contract.md §2). Products of kopecks and rates leave the range in which a
 * float is exact, so quotients are formed over big integers.
 */

const halfUp = (numerator: bigint, denominator: bigint): bigint => {
  const doubled = 2n * numerator + denominator;
  const divisor = 2n * denominator;
  const quotient = doubled / divisor;
  return doubled % divisor < 0n ? quotient - 1n : quotient;
};

/** `numerator / denominator` as the nearest whole number, a half upwards. Whole operands, `denominator` > 0. */
export const divideHalfUp = (numerator: bigint, denominator: bigint): number => Number(halfUp(numerator, denominator));

/** `numerator / denominator` with two decimals, a half upwards; 0 when the divisor is 0. Whole operands. */
export const ratio = (numerator: bigint, denominator: bigint): number =>
  denominator === 0n ? 0 : divideHalfUp(numerator * 100n, denominator) / 100;

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
