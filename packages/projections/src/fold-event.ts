import type { HistoryFacts } from '@zakup/contracts/history';
import { type Decoded, decodeEvent } from '@zakup/domain/catalog';
import { categoryOf, isCategory } from '@zakup/domain/entities';
import type { RecordedEvent } from '@zakup/event-store/event-store';
import { foldAliases } from './aliases.ts';
import { raiseResyncBounds } from './resync-bounds.ts';
import { historyOf, toldOf } from './history.ts';
import { beginSoftDeletable, getSoftDeletable, putSoftDeletable } from './soft-delete.ts';
import { campaignRow } from './rows/campaign.row.ts';
import { channelRow } from './rows/channel.row.ts';
import { contractorRow } from './rows/contractor.row.ts';
import { creativeRow } from './rows/creative.row.ts';
import { employeeRow } from './rows/employee.row.ts';
import { licenceRow } from './rows/licence.row.ts';
import { notificationsOf } from './notifications.ts';
import { foldNotes } from './rows/note.row.ts';
import { placementRow } from './rows/placement.row.ts';
import type { AnyRowProjection, RowChange } from './rows/row-projection.ts';
import { analyticsTotals } from './totals/analytics.totals.ts';
import { contractorTotals } from './totals/contractor.totals.ts';
import { creativeTotals } from './totals/creative.totals.ts';
import { earningsTotals } from './totals/earnings.totals.ts';
import { foldable, Unfoldable } from './unfoldable.ts';
import type { WorkingSet } from './working-set.ts';

/** Categories of streams that have rows; all others are passed over. */
const rules: Readonly<Record<string, AnyRowProjection>> = {
  licence: licenceRow,
  employee: employeeRow,
  channel: channelRow,
  campaign: campaignRow,
  creative: creativeRow,
  contractor: contractorRow,
  placement: placementRow,
};

/** Streams of the command side's own book-keeping, whose events are in no catalog. */
const bookkeeping = new Set(['command']);

const isOurs = (stream: string): boolean => /^[a-z]+-[0-9a-f]{2}[^~]*~/u.test(stream);

const problemOf = (decoded: Exclude<Decoded, { kind: 'event' }>, type: string): string => {
  switch (decoded.kind) {
    case 'unknown_type':
      return `Unknown event type ${type}`;
    case 'newer_version':
      return `${type} was written by a newer version`;
    case 'invalid':
      return decoded.problem;
  }
};

const preferences = 'preferences';

const personOf = (stream: string): string => stream.slice(stream.indexOf('~') + 1);

/** What an event that no row holds says; null when this version cannot read it, which changes nothing that others read. */
const factsIn = ({ type, data, metadata: { schemaVersion } }: RecordedEvent): HistoryFacts | null => {
  const decoded = decodeEvent({ type, schemaVersion, data });
  return decoded.kind === 'event' ? decoded.event.data : null;
};

export interface FoldOptions {
  /** Whether history and notifications are written; default true. A fold that only asks how things stood needs none. */
  readonly history?: boolean;
}

/** Folds events one by one into the rows and totals of a working set, and into the history. */
export const eventFold = (set: WorkingSet, { history = true }: FoldOptions = {}) => {
  const analytics = analyticsTotals(set);
  const contractors = contractorTotals(set, analytics);
  const creatives = creativeTotals(set, analytics);
  const earnings = earningsTotals(set, analytics);
  const entries = history ? historyOf(set) : null;
  const notifications = history ? notificationsOf(set, analytics) : null;

  const apply = async (change: RowChange): Promise<void> => {
    if (change.kind === 'contractor') {
      await foldNotes(set, change);
      await foldAliases(set, change);
    }
    await analytics.apply(change);
    await contractors.apply(change);
    await creatives.apply(change);
    await earnings.apply(change);
    await raiseResyncBounds(set, analytics, change);
  };

  const foldRow = async (
    rule: AnyRowProjection,
    event: RecordedEvent,
    decoded: Extract<Decoded, { kind: 'event' }>,
  ) => {
    const { position } = event;
    const { licenceId } = event.metadata;
    const id = event.stream.slice(event.stream.indexOf('~') + 1);
    const key = { kind: rule.kind, id, licenceId };
    if (event.revision === 0) beginSoftDeletable(set, key);
    // Earnings are by the terms and switches of their own time, wherever a batch ends.
    if (rule.kind === 'user' || rule.kind === 'license') await earnings.settle();
    const stored = await getSoftDeletable(set, key);
    const before = stored?.data ?? null;
    const after = rule.fold(before, decoded.event, event, id);
    await putSoftDeletable(set, key, {
      position,
      scopes: rule.scopes(after),
      data: after,
      hidden: rule.hidden(after),
      wasHidden: stored?.hidden ?? null,
    });
    const change = { kind: rule.kind, id, licenceId, position, before, after } as RowChange;
    await apply(change);
    await entries?.ofRow(event, change);
    await notifications?.apply(event, change, decoded.event);
  };

  return {
    /** Throws `Unfoldable` for an event that this version does not know or cannot follow, `ReadFailed` when the store cannot answer. */
    async fold(event: RecordedEvent): Promise<void> {
      const category = categoryOf(event.stream);
      const rule = Object.hasOwn(rules, category) ? rules[category] : undefined;
      const factsOf = entries === null ? undefined : toldOf(category);
      if (factsOf !== undefined) {
        const { licenceId } = event.metadata;
        await foldable(licenceId, event.position, async () => {
          await entries?.ofFact(event, factsOf, factsIn(event));
          if (factsOf === 'user') await notifications?.ofFact(event, personOf(event.stream));
        });
        return;
      }
      if (category === preferences) {
        const { licenceId } = event.metadata;
        await foldable(licenceId, event.position, async () => {
          const facts = factsIn(event);
          const upTo = facts === null ? undefined : (facts as { readonly upTo?: number }).upTo;
          if (upTo !== undefined) await notifications?.read(event, personOf(event.stream), upTo);
        });
        return;
      }
      if (rule === undefined && (isCategory(category) || bookkeeping.has(category) || !isOurs(event.stream))) return;
      const { type, data, position, metadata } = event;
      const { licenceId, schemaVersion } = metadata;
      await foldable(licenceId, position, async () => {
        const decoded = decodeEvent({ type, schemaVersion, data });
        if (decoded.kind !== 'event') throw new Unfoldable(licenceId, position, problemOf(decoded, type));
        if (rule !== undefined) await foldRow(rule, event, decoded);
      });
    },

    /** Writes the totals touched since the last time into the working set. */
    async settle(): Promise<void> {
      await analytics.settle();
      await earnings.settle();
    },

    /** How many documents a commit would hold now, at most. */
    size: (): number => set.size() + analytics.size() + earnings.size(),

    committed(): void {
      set.committed();
      analytics.committed();
      earnings.committed();
    },

    drop(): void {
      set.drop();
      analytics.drop();
      earnings.drop();
    },
  };
};
