/**
 * Names what the fold makes of a log. Raise it with every change by which the same events give other documents: read models of another
 * version are built anew beside those that are read.
 */
export const projectionVersion = '9';
