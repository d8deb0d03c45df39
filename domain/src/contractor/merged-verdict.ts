import type { ContractorVerdict } from './state.ts';

/** What a contractor stands on after another was merged into it (CTR-16): a black list of either, else its own, else the other's. */
export const verdictOfBoth = <Verdict extends Pick<ContractorVerdict, 'list'>>(
  own: Verdict | undefined,
  other: Verdict | undefined,
): Verdict | undefined => (own?.list !== 'black' && other?.list === 'black' ? other : (own ?? other));
