import type { Participant } from '@zakup/domain/campaign/events';
import { catalogEntry } from '@zakup/domain/catalog';
import { type Kopecks, toRoubles } from '@zakup/domain/money';
import { z } from 'zod';
import { type HistoryKind, type HistoryValue, historyField } from './history-fields.ts';
import { positionSchema, revisionSchema } from './position.ts';

/** History as projections keep it, and as it is answered. */

/** Values as folded: money is kopecks. Names are those of then; absent = there was none. */
export interface HistoryChange {
  /** A name of `historyRules`, with the part's id where it has parts. */
  readonly field: string;
  readonly from: HistoryValue;
  readonly to: HistoryValue;
  /** Of the part. */
  readonly name?: string;
  readonly fromName?: string;
  readonly toName?: string;
}

export interface HistoryFacts {
  readonly [name: string]: HistoryValue;
}

/** One event of an entity. Its position is the document's, and its id: sixteen digits, so that ids stand in the order of the log. */
export interface HistoryRow {
  readonly revision: number;
  /** UTC instant of the command, ISO 8601. */
  readonly at: string;
  /** UTC instant given by the log, where it is not within a minute of the command's. */
  readonly recordedAt?: string;
  /** The person, `admin` or `system`. */
  readonly actorId: string;
  readonly actorName?: string;
  readonly commandId: string;
  readonly source: string;
  readonly reason?: string;
  /** Id of the event that it undoes, or that a process answered. */
  readonly causedBy?: string;
  /** The event's type. */
  readonly event: string;
  /** `<kind>:<id>`. */
  readonly entity: string;
  /** What people called the entity then; a placement by its contractor. */
  readonly name?: string;
  /** Of a campaign and of its placements. */
  readonly campaignId?: string;
  readonly campaignName?: string;
  /** The campaign was completed just before: nobody could know yet. */
  readonly late?: true;
  readonly changes: readonly HistoryChange[];
  /** What the event says, where no entity holds it. */
  readonly facts?: HistoryFacts;
}

/** The id of the entry at a position. */
export const historyId = (position: number): string => String(position).padStart(16, '0');

export const entityName = (kind: HistoryKind, id: string): string => `${kind}:${id}`;

const value = z.union([
  z.null(),
  z.boolean(),
  z.number(),
  z.string(),
  z.array(z.unknown()),
  z.record(z.string(), z.unknown()),
]) as z.ZodType<HistoryValue>;
const maybe = z.string().nullable();

const historyChangeSchema = z.object({
  field: z.string(),
  /** In outside form: money is roubles. */
  from: value,
  to: value,
  /** Names of then: of the person or thing in the field's name, and of those that the values are ids of. */
  name: z.string().optional(),
  fromName: z.string().optional(),
  toName: z.string().optional(),
  /** True where the viewer may not see the values, or not all of them. */
  hidden: z.literal(true).optional(),
});

export const historyEntrySchema = z.object({
  position: positionSchema,
  revision: revisionSchema,
  at: z.string(),
  /** Name as of then; empty for the platform admin and for processes, whose ids are `admin` and `system`. */
  actor: z.object({ userId: z.string(), name: z.string() }),
  commandId: z.string(),
  source: z.string(),
  /** Why it was undone. */
  reason: maybe,
  /** Id of the event that it undoes. */
  causedBy: maybe,
  /** Type of the event. */
  event: z.string(),
  entity: z.object({ kind: z.string(), id: z.string(), name: maybe }),
  campaign: z.object({ id: z.string(), name: maybe }).nullable(),
  /** True for a change of a placement that landed just after its campaign was completed. */
  late: z.literal(true).optional(),
  changes: z.array(historyChangeSchema),
  /** Of events that change no field, e.g. sign-ins; personal ones are absent where the viewer may not see them. */
  facts: z.record(z.string(), value).optional(),
});
export type HistoryEntry = z.infer<typeof historyEntrySchema>;

/** What a viewer's rights open in the history. */
export interface HistoryView {
  /** People's e-mail, permissions and terms, and from where they signed in. */
  readonly people: boolean;
  /** Whose terms within campaigns; null = everybody's. */
  readonly termsOf: string | null;
}

const roubles = (amount: HistoryValue): HistoryValue => (amount === null ? null : toRoubles(amount as Kopecks));

const terms = (told: HistoryValue, shown: boolean): HistoryValue => {
  if (told === null) return null;
  const { userId, budget, salaryType, salaryRate, cplThreshold } = told as unknown as Participant;
  const own = shown
    ? { salaryType, salaryRate, cplThreshold: roubles(cplThreshold) }
    : { salaryType: null, salaryRate: null, cplThreshold: null };
  return { userId, budget: toRoubles(budget), ...own };
};

type ChangeWire = HistoryEntry['changes'][number];

const presentChange = (kind: string, change: HistoryChange, view: HistoryView): ChangeWire => {
  const { field: told, from, to, ...names } = change;
  const rule = historyField(kind, told);
  if (rule?.seenBy === 'secret' || (rule?.seenBy === 'people' && !view.people))
    return { field: told, from: null, to: null, hidden: true };
  if (rule?.value === 'money') return { field: told, from: roubles(from), to: roubles(to) };
  if (rule?.value !== 'terms') return { field: told, from, to, ...names };
  const shown = view.termsOf === null || told === `${rule.name}/${view.termsOf}`;
  return { field: told, from: terms(from, shown), to: terms(to, shown), ...names, ...(!shown && { hidden: true }) };
};

const presentFacts = ({ event, facts = {} }: HistoryRow, view: HistoryView): HistoryFacts => {
  if (view.people) return facts;
  const personal = catalogEntry(event)?.personal ?? [];
  return Object.fromEntries(Object.entries(facts).filter(([name]) => !personal.includes(name)));
};

/** An entry as this viewer sees it. */
export const presentHistory = (position: number, row: HistoryRow, view: HistoryView): HistoryEntry => {
  const colon = row.entity.indexOf(':');
  const kind = row.entity.slice(0, colon);
  return {
    position,
    revision: row.revision,
    at: row.at,
    actor: { userId: row.actorId, name: row.actorName ?? '' },
    commandId: row.commandId,
    source: row.source,
    reason: row.reason ?? null,
    causedBy: row.causedBy ?? null,
    event: row.event,
    entity: { kind, id: row.entity.slice(colon + 1), name: row.name ?? null },
    campaign: row.campaignId === undefined ? null : { id: row.campaignId, name: row.campaignName ?? null },
    ...(row.late === true && { late: true as const }),
    changes: row.changes.map((change) => presentChange(kind, change, view)),
    ...(row.facts !== undefined && { facts: presentFacts(row, view) }),
  };
};
