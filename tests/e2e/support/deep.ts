/** `DEEP=1`: what a smaller sibling in the gate stands for is looked at too (`docs/reference/tests.md`). */
export const isDeep = process.env['DEEP'] === '1';
