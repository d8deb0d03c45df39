import type { Conflict } from '@zakup/contracts/problems';
import type { DocKind } from '@zakup/contracts/entities';

export type CommandMethod = 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What a screen asks for; the outbox adds id and order. */
export interface CommandDraft {
  /** The entity it changes. A command that creates one names its kind and leaves `id` null. */
  readonly target: { readonly kind: DocKind; readonly id: string | null };
  readonly method: CommandMethod;
  readonly path: string;
  /** Without `baseRevision`, which stands apart. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Revision the person saw; `null` for creations. */
  readonly baseRevision: number | null;
  /** Names the change to a person: «Цена: 5 400 ₽». */
  readonly label: string;
  /** Where the row is drawn, e.g. `campaign:<id>`; its complete position also settles the entry. */
  readonly scope: string;
}

export type EntryState =
  /** Waits for its turn, or is being sent. `held`: not saved, as sending failed; it goes by itself with the next attempt. */
  | { readonly kind: 'pending'; readonly held?: true }
  /** Done on the server; stays until the replica has reached `position`. */
  | { readonly kind: 'acknowledged'; readonly position: number; readonly revision: number | null }
  | { readonly kind: 'rejected'; readonly code: string; readonly reason: string }
  /** Somebody else changed the same field: both values wait for a choice. */
  | { readonly kind: 'conflict'; readonly conflicts: readonly Conflict[]; readonly revision: number };

export interface Entry extends CommandDraft {
  /** UUID: the command id and the `Idempotency-Key`. */
  readonly id: string;
  /** Place in the order of issue within this browser. */
  readonly order: number;
  /** Milliseconds since the epoch. */
  readonly issuedAt: number;
  /** From the first attempt on the body must not change any more. */
  readonly attempted: boolean;
  readonly state: EntryState;
}

/** Commands on the same target go out in order, one at a time. */
export const laneOf = (entry: Entry): string =>
  entry.target.id === null ? `new:${entry.id}` : `${entry.target.kind}:${entry.target.id}`;

/** The campaign whose table shows it; null = it is shown elsewhere. */
export const campaignOf = ({ scope }: Pick<CommandDraft, 'scope'>): string | null =>
  scope.startsWith('campaign:') ? scope.slice('campaign:'.length) : null;

export const isUnsent = (entry: Entry): boolean => entry.state.kind === 'pending';

/** Could not be sent and waits for the next attempt. */
export const isHeld = ({ state }: Entry): boolean => state.kind === 'pending' && state.held === true;

const fieldsOf = (entry: Pick<CommandDraft, 'body'>): readonly string[] => Object.keys(entry.body);

/**
 * The revision a command may be based on after own earlier commands on the same entity. Those were accepted without a
 * conflict, so nobody else had touched their fields up to their revision; for other fields the base stays, otherwise
 * a change nobody here has seen would be overwritten in silence.
 */
export const rebased = (draft: Pick<CommandDraft, 'body' | 'baseRevision'>, acknowledged: Entry): number | null => {
  const { state } = acknowledged;
  if (draft.baseRevision === null || state.kind !== 'acknowledged' || state.revision === null)
    return draft.baseRevision;
  const settled = new Set(fieldsOf(acknowledged));
  const fields = fieldsOf(draft);
  const covered = fields.length > 0 && fields.every((field) => settled.has(field));
  return covered ? Math.max(draft.baseRevision, state.revision) : draft.baseRevision;
};

/** Whether what was refused has nothing to say any more, as all of its fields were set anew and saved. */
export const replaces = (acknowledged: Entry, refused: Entry): boolean => {
  const fields = fieldsOf(refused);
  return (
    refused.state.kind === 'rejected' &&
    laneOf(refused) === laneOf(acknowledged) &&
    refused.order < acknowledged.order &&
    fields.length > 0 &&
    fields.every((field) => field in acknowledged.body)
  );
};
