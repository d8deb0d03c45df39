import type { ContractorWire, NoteWire, PlacementWire } from '@zakup/contracts/wire-entities';
import { useState } from 'react';
import { useApi } from '../../shared/api/api-context.tsx';
import { problemText } from '../../shared/api/api-problem.ts';
import { useLive, useScope } from '../../shared/live/live-context.tsx';
import { useDoc, useDocs, useDrawn } from '../../shared/replica/replica-context.tsx';

/** A contractor with what belongs to it, and how far that has come. */
export interface OneContractorState {
  /** Null while it is unknown, and when it is in no list. */
  readonly contractor: ContractorWire | null;
  /** As it was seen last: what is being done to it stays on the screen when it goes from the lists meanwhile. */
  readonly seen: ContractorWire | null;
  readonly placements: readonly PlacementWire[];
  readonly notes: readonly NoteWire[];
  /** Placements and notes are here. */
  readonly drawn: boolean;
  /** It is known to be in no list. */
  readonly missing: boolean;
  /** Of which it is a part at the moment that is shown; null = of none that is known. */
  readonly receiver: ContractorWire | null;
  /** Why it could not be loaded. */
  readonly problem: string | null;
  /** Asks for it by hand. */
  readonly refresh: () => void;
  readonly isRefreshing: boolean;
}

/** An answer asked for by hand, good until the live channel brings something newer. */
interface Asked {
  readonly contractor: ContractorWire;
  readonly over: ContractorWire | null;
}

/** Follows one contractor live, from the scope of its own. */
export const useOneContractor = (contractorId: string): OneContractorState => {
  const api = useApi();
  const live = useLive();
  const scope = `contractor:${contractorId}`;
  const status = useScope(scope);
  const drawn = useDrawn(scope);
  const known = useDoc('contractor', contractorId);
  const placements = useDocs('placement', { scope });
  const notes = useDocs('note', { scope });
  // At that moment it is a part of another one, which the answer is about.
  const [receiver = null] = useDocs('contractor', { scope });
  const [asked, setAsked] = useState<Asked | null>(null);
  const [isRefreshing, setRefreshing] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const contractor = asked !== null && asked.over === known ? asked.contractor : known;
  const [seen, setSeen] = useState(contractor);
  if (contractor !== null && contractor !== seen) setSeen(contractor);
  const refusal = status.kind === 'refused' && status.problem.code !== 'NOT_FOUND' ? status.problem.error : null;
  const problem = refusal ?? failure;

  const refresh = (): void => {
    setRefreshing(true);
    setFailure(null);
    live.retryNow();
    api
      .get<{ readonly contractor: ContractorWire }>(`/api/contractors/${contractorId}`)
      .then(({ data }) => setAsked({ contractor: data.contractor, over: known }))
      .catch((thrown: unknown) => setFailure(problemText(thrown)))
      .finally(() => setRefreshing(false));
  };

  const missing = contractor === null && problem === null && (drawn || status.kind === 'refused');
  return { contractor, seen, placements, notes, drawn, missing, receiver, problem, refresh, isRefreshing };
};
