import type { ContractorWire } from '@zakup/contracts/wire-entities';
import { Chip } from '../ui/chip.tsx';
import { verdictLabels } from '@zakup/domain/contractor/labels';

type Verdict = NonNullable<ContractorWire['verdict']>;

/** The list that a contractor stands on. */
export const VerdictChip = ({ verdict: { list } }: { readonly verdict: Verdict }) => (
  <Chip tone={list === 'black' ? 'bad' : 'good'} dot>
    {verdictLabels[list]}
  </Chip>
);

/** The same, and why. */
export const VerdictNote = ({ verdict }: { readonly verdict: Verdict }) => (
  <>
    <VerdictChip verdict={verdict} /> {verdict.reason}
  </>
);
