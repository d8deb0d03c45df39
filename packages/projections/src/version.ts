import { projections, rowProjections } from './projections.ts';

/**
 * Names what the fold makes of a log: the highest version in the lists. A projection by which the same events give other documents gets
 * the next higher one; read models of another version are built anew beside those that are read.
 */
export const projectionVersion = String(Math.max(...[...rowProjections, ...projections].map(({ version }) => version)));
