import type { ContractorWire, PlacementWire } from '@zakup/contracts/wire-entities';
import { parseNick } from '@zakup/domain/nick';
import { useState } from 'react';
import { useDocs } from '../../../shared/replica/replica-context.tsx';
import { lastTime, proposalOf, useLastDeal } from './last-deal.ts';
import { emptyForm, type PlacementField, type PlacementForm } from './placement-form.ts';

/** Members that the next placement of a sitting begins with. */
const carried = ['date', 'buyerId', 'format', 'category'] as const satisfies readonly PlacementField[];

interface Draft {
  /** What the form began with. */
  readonly first: PlacementForm;
  /** What the person entered since. */
  readonly typed: Partial<PlacementForm>;
  /** Members that the person entered for a placement before, and that stay theirs. */
  readonly settled: readonly PlacementField[];
  /** How many placements the form has given so far. */
  readonly round: number;
}

export interface NewPlacement {
  readonly form: PlacementForm;
  /** Something that was entered would be lost. */
  readonly dirty: boolean;
  /** The one whose nick is entered; null = unknown. */
  readonly contractor: ContractorWire | null;
  readonly lastDeal: PlacementWire | null;
  /** The last deal is on its way. */
  readonly isDealComing: boolean;
  /** Where members come from that nobody entered. */
  readonly hints: Partial<Record<PlacementField, string>>;
  readonly round: number;
  readonly change: (change: Partial<PlacementForm>) => void;
  /** Begins the next one, of the same day, buyer, format and topic. */
  readonly next: () => void;
}

/**
 * The form of a new placement of a day, with a buyer ('' = not chosen yet): what the person enters, over what the contractor's last deal proposes, over what it began
 * with.
 */
export const useNewPlacement = (day: string, buyerId: string): NewPlacement => {
  const [draft, setDraft] = useState<Draft>({
    first: { ...emptyForm(day), buyerId },
    typed: {},
    settled: [],
    round: 0,
  });
  const { first, typed, settled, round } = draft;
  const contractors = useDocs('contractor');
  const nick = parseNick(typed.contractor ?? '');
  const contractor =
    nick.kind === 'nick'
      ? (contractors.find((one) => one.adminUsername.slice(1).toLowerCase() === nick.nick) ?? null)
      : null;
  const { deal: lastDeal, isComing: isDealComing } = useLastDeal(contractor);

  const isTheirs = (field: string): boolean => field in typed || settled.some((one) => one === field);
  const proposed = Object.fromEntries(
    Object.entries(lastDeal === null ? {} : proposalOf(lastDeal)).filter(([field]) => !isTheirs(field)),
  );
  const form = { ...first, ...proposed, ...typed };
  return {
    form,
    dirty: Object.keys(typed).length > 0,
    contractor,
    lastDeal,
    isDealComing,
    hints: Object.fromEntries(Object.keys(proposed).map((field) => [field, lastDeal && lastTime(lastDeal)])),
    round,
    change: (change) => setDraft((before) => ({ ...before, typed: { ...before.typed, ...change } })),
    next: () =>
      setDraft({
        first: { ...emptyForm(day), ...Object.fromEntries(carried.map((field) => [field, form[field]])) },
        typed: {},
        settled: carried.filter(isTheirs),
        round: round + 1,
      }),
  };
};
