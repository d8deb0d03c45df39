import type { Day } from '@zakup/domain/calendar';
import { useMemo, useState } from 'react';
import { parseLeads } from '../../../shared/form/number-input.ts';
import { useOutbox } from '../../../shared/outbox/outbox-context.tsx';
import { useSession } from '../../../shared/session/session-context.tsx';
import { requestUndo } from '../../../shared/undo/undo-requests.ts';
import { changeDraft } from '../rows/placement-commands.ts';
import type { PlacementRow } from '../rows/placement-row.ts';
import type { CampaignPlacements } from '../rows/use-campaign-placements.ts';
import { byOwnAndDay, isAwaitingLeads } from './awaiting-leads.ts';

/** What is typed for a placement and not saved. */
export interface LeadsDraft {
  readonly text: string;
  /** As it was when the typing began: what another enters meanwhile waits for a choice. */
  readonly row: PlacementRow;
  /** Why it could not be saved; null = nobody tried. */
  readonly problem: string | null;
}

const withEntry = <Key, Value>(
  map: ReadonlyMap<Key, Value>,
  key: Key,
  value: Value | null,
): ReadonlyMap<Key, Value> => {
  const next = new Map(map);
  if (value === null) next.delete(key);
  else next.set(key, value);
  return next;
};

/** The placements that had no 'Приход' when the list was opened, in its order, what is typed for each, and the ways to save it. */
export const useLeadsEntry = ({ rows, names, rights }: CampaignPlacements, day: Day) => {
  const outbox = useOutbox();
  const { person } = useSession();
  const { editable } = rights;
  const [opened] = useState(() =>
    rows.filter((row) => isAwaitingLeads(row, day) && editable(row)).sort(byOwnAndDay(person.id)),
  );
  const [drafts, setDrafts] = useState<ReadonlyMap<string, LeadsDraft>>(new Map());
  const [skipped, setSkipped] = useState<ReadonlySet<string>>(new Set());
  /** The last command of one's own by placement. */
  const [commands, setCommands] = useState<ReadonlyMap<string, string>>(new Map());
  const current = useMemo(() => {
    const ids = new Set(opened.map(({ id }) => id));
    return new Map(rows.filter(({ id }) => ids.has(id)).map((row) => [row.id, row]));
  }, [opened, rows]);
  const setDraft = (id: string, draft: LeadsDraft | null): void => setDrafts((before) => withEntry(before, id, draft));
  const isOpen = (id: string): boolean => {
    const row = current.get(id);
    return row?.placement.leads === 0 && editable(row) && !skipped.has(id);
  };

  /** Saves what is typed for a placement; false = it is no number, which is said there. */
  const save = (id: string): boolean => {
    const draft = drafts.get(id);
    if (draft === undefined) return true;
    const { row, text } = draft;
    if (text.trim() === '' && row.placement.leads === 0) {
      setDraft(id, null);
      return true;
    }
    const parsed = parseLeads(text);
    if (!parsed.ok) {
      setDraft(id, { ...draft, problem: parsed.message });
      return false;
    }
    setDraft(id, null);
    if (parsed.value === row.placement.leads) setSkipped((before) => new Set([...before, id]));
    else {
      const command = outbox.issue(changeDraft(row, { leads: parsed.value }, names));
      setCommands((before) => withEntry(before, id, command));
    }
    return true;
  };
  const type = (row: PlacementRow, text: string): void =>
    setDrafts((before) => withEntry(before, row.id, { text, row: before.get(row.id)?.row ?? row, problem: null }));
  const skip = (id: string): void => {
    setDraft(id, null);
    setSkipped((before) => new Set([...before, id]));
  };

  return {
    opened,
    current,
    drafts,
    skipped,
    commands,
    isOpen,
    save,
    type,
    skip,
    /** Takes back one's own last command for a placement, which then is open again. */
    undo: (id: string): void => {
      const command = commands.get(id);
      if (command === undefined) return;
      setCommands((before) => withEntry(before, id, null));
      requestUndo(command);
    },
    /** Something typed is no number and would be lost. */
    hasUnreadable: [...drafts.values()].some(({ text }) => text.trim() !== '' && !parseLeads(text).ok),
    /** Of those that are still there. */
    entered: [...current.values()].filter(({ placement }) => placement.leads > 0).length,
    unskip: () => setSkipped(new Set<string>()),
  };
};

export type LeadsEntryState = ReturnType<typeof useLeadsEntry>;
