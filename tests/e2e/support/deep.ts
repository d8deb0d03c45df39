export { isDeep } from '../../../scripts/test-run/deep.ts';

/** Ends the title of a test that is run by a deep run alone. `@deep` in a title says the same of all that it is made for. */
export const deepWhen = (is: boolean): string => (is ? ' @deep' : '');
