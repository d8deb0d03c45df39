import type { ContractorVerdict } from './state.ts';

/** How the lists that a contractor may stand on are called on screens and in exports. */
export const verdictLabels: Readonly<Record<ContractorVerdict['list'], string>> = {
  white: 'Белый список',
  black: 'Чёрный список',
};
