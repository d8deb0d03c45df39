/** `DEEP=1`: what a smaller sibling in the gate stands for is looked at too (`docs/reference/tests.md`). */
export const isDeep = process.env['DEEP'] === '1';

/** Ends the title of a test that is run by a deep run alone. `@deep` in a title says the same of all that it is made for. */
export const deepWhen = (is: boolean): string => (is ? ' @deep' : '');
