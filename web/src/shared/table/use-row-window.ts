import type { Virtualizer } from '@tanstack/react-virtual';

/** The rows in sight. Its answer is read anew at every paint, as it changes in place. */
export { defaultRangeExtractor, useVirtualizer as useRowWindow } from '@tanstack/react-virtual';
export type RowWindow = Virtualizer<HTMLDivElement, Element>;
