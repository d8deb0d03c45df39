import { commandKeyOf, derivedId } from '@zakup/contracts/derived-ids';
import type { Conflict, UndoCounts } from '@zakup/contracts/problems';
import type { DocKind } from '@zakup/contracts/wire-entities';

export type CommandMethod = 'POST' | 'PUT' | 'PATCH' | 'DELETE';

interface Target {
  readonly kind: DocKind;
  readonly id: string;
}
/** A kind that the server makes under its own name, so that the id is known before. */
export type MadeKind = 'placement' | 'channel' | 'campaign' | 'creative';
interface Creation {
  readonly kind: MadeKind;
  readonly id: null;
}

/** What an earlier part of the same batch makes, by the place of that part. */
interface MadeBefore extends Creation {
  readonly part: number;
}

/** What a screen asks for; the outbox adds id and order. */
export interface CommandDraft {
  /** A UUID of its own, where what it makes had to be known before; absent = the outbox gives one. */
  readonly id?: string;
  /** It is a batch: what each part would be if it went alone. Body, target and revision then say nothing. */
  readonly parts?: readonly DraftPart[];
  /** The entity it changes, or the kind of the one it creates. */
  readonly target: Target | Creation;
  readonly method: CommandMethod;
  readonly path: string;
  /** Without `baseRevision`, which stands apart. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Revision the person saw; `null` for creations. */
  readonly baseRevision: number | null;
  /** What it gives its target, by member, where the body does not say so: the values that undoing brings back. */
  readonly gives?: Readonly<Record<string, unknown>>;
  /** Names the change to a person: «Цена: 5 400 ₽». */
  readonly label: string;
  /** Where the row is drawn, e.g. `campaign:<id>`; its complete position also settles the entry. */
  readonly scope: string;
}

/** `{id}` in the path of a part stands for what an earlier one makes. */
export type DraftPart = Omit<CommandDraft, 'id' | 'scope' | 'parts' | 'target' | 'gives'> & {
  readonly target: CommandDraft['target'] | MadeBefore;
};

/** One of the changes that go as one command, each carried out or refused by itself. */
export interface EntryPart extends Omit<DraftPart, 'target'> {
  readonly target: Target;
  readonly creates?: true;
  /** Its place among the parts as they were issued, from which the id of what it makes follows. */
  readonly index: number;
  /** Of its target, once it is done. */
  readonly revision?: number | null;
}

export type EntryState =
  /** Waits for its turn, or is being sent. `held`: not saved, as sending failed; it goes by itself with the next attempt. */
  | { readonly kind: 'pending'; readonly held?: true }
  /** Done on the server; stays until the replica has reached `position`. */
  | { readonly kind: 'acknowledged'; readonly position: number; readonly revision: number | null }
  | {
      readonly kind: 'rejected';
      readonly code: string;
      readonly reason: string;
      readonly conflicts?: readonly Conflict[];
      /** Of an undo: placements that it is about, and those that others changed. */
      readonly undo?: UndoCounts;
    }
  /** Somebody else changed the same field: both values wait for a choice. */
  | { readonly kind: 'conflict'; readonly conflicts: readonly Conflict[]; readonly revision: number };

export interface Entry extends Omit<CommandDraft, 'parts'> {
  /** UUID: the command id and the `Idempotency-Key`. */
  readonly id: string;
  readonly target: Target;
  readonly parts?: readonly EntryPart[];
  /** It makes its target, whose id follows from its own. */
  readonly creates?: true;
  /** Place in the order of issue within this browser. */
  readonly order: number;
  /** Milliseconds since the epoch. */
  readonly issuedAt: number;
  /** From the first attempt on the body must not change any more. */
  readonly attempted: boolean;
  readonly state: EntryState;
}

/** As issued, or as an earlier version of the app kept it: a creation that does not name its target. */
export type UntargetedEntry = Omit<Entry, 'target' | 'parts'> &
  Pick<CommandDraft, 'target'> & { readonly parts?: readonly (DraftPart | EntryPart)[] };

const partWithTarget = (part: DraftPart | EntryPart, index: number, commandKey: string): EntryPart => {
  const { id, kind } = part.target;
  if (id !== null) return { index, ...part, target: { kind, id } };
  if ('part' in part.target) {
    const made = derivedId(commandKey, `${kind}/${part.target.part}`);
    return { ...part, index, path: part.path.replace('{id}', made), target: { kind, id: made } };
  }
  return { ...part, index, target: { kind, id: derivedId(commandKey, `${kind}/${index}`) }, creates: true };
};

/** A creation with the id that the server will give to what it makes for this person (CALL-14); any other entry as it is. */
export const withTarget = (entry: UntargetedEntry, personId: string): Entry => {
  const { parts, ...rest } = entry;
  const commandKey = commandKeyOf(personId, entry.id);
  if (parts !== undefined) {
    const targeted = parts.map((part, index) => partWithTarget(part, index, commandKey));
    const target = targeted[0]?.target ?? { kind: 'placement', id: '' };
    return { ...rest, target, parts: targeted };
  }
  const { id, kind } = entry.target;
  if (id !== null) return { ...rest, target: { kind, id } };
  return { ...rest, target: { kind, id: derivedId(commandKey, kind) }, creates: true };
};

type Alone = Pick<EntryPart, 'target' | 'creates' | 'method' | 'path' | 'body' | 'baseRevision' | 'label'>;

const draftPartOf = ({ target, creates, method, path, body, baseRevision, label }: Alone) => ({
  target: creates === true ? { kind: target.kind as MadeKind, id: null } : target,
  method,
  path,
  body,
  baseRevision,
  label,
});

const draftPartsOf = (parts: readonly EntryPart[]): readonly DraftPart[] =>
  parts.map((one) => {
    const draft = draftPartOf(one);
    const { kind, id } = one.target;
    const part = parts.findIndex(({ creates, target }) => creates === true && target.id === id);
    if (one.creates === true || part < 0) return draft;
    return { ...draft, path: one.path.replace(id, '{id}'), target: { kind: kind as MadeKind, id: null, part } };
  });

/** The same wish, to be issued anew. */
export const draftOf = (entry: Entry): CommandDraft => ({
  ...draftPartOf(entry),
  ...(entry.gives && { gives: entry.gives }),
  scope: entry.scope,
  ...(entry.parts && { parts: draftPartsOf(entry.parts) }),
});

/** Commands on the same target go out in order, one at a time. */
export const laneOf = ({ target }: Pick<Entry, 'target'>): string => `${target.kind}:${target.id}`;

/** The id of the entry itself, of that of one of its parts. */
export const batchIdOf = (id: string): string => id.split('/')[0] ?? id;

/** Ids of what has yet to be made, with the entries that make it. */
export const unmadeIn = (entries: readonly Entry[]): ReadonlyMap<string, string> =>
  new Map(
    entries
      .filter(({ creates, state }) => creates === true && state.kind !== 'acknowledged')
      .map(({ target, id }) => [target.id, batchIdOf(id)]),
  );

/** Whether a command changes or names what another one has yet to make. */
export const waitsForMaking = (
  { target, body, id = null }: Pick<CommandDraft, 'target' | 'body'> & { readonly id?: string | null },
  unmade: ReadonlyMap<string, string>,
): boolean => {
  if (unmade.size === 0) return false;
  // What an earlier part of the same command makes is there when its turn comes.
  const own = id === null ? null : batchIdOf(id);
  const waitsFor = (other: unknown): boolean =>
    typeof other === 'string' && unmade.has(other) && unmade.get(other) !== own;
  return waitsFor(target.id) || Object.values(body).some(waitsFor);
};

/** Whether it waits for one that was refused: it does not go by itself. */
export const waitsForRefused = (entry: Entry, entries: readonly Entry[]): boolean =>
  waitsForMaking(entry, unmadeIn(entries.filter(({ state }) => state.kind === 'rejected')));

/** The campaign whose table shows it; null = it is shown elsewhere. */
export const campaignOf = ({ scope }: Pick<CommandDraft, 'scope'>): string | null =>
  scope.startsWith('campaign:') ? scope.slice('campaign:'.length) : null;

/** Whether it is about a campaign or one of its placements. */
export const isOfCampaign = ({ scope, target }: Entry, campaignId: string): boolean =>
  scope === `campaign:${campaignId}` || (target.kind === 'campaign' && target.id === campaignId);

/** Undoes another command, the one that its body names. */
export const undoPath = '/api/undo';

/** In order of issue, without what the server has undone, and not done again by undoing that: nothing is foretold from it any more. */
export const withoutUndone = (entries: readonly Entry[]): readonly Entry[] => {
  const undone = new Set<unknown>();
  for (const { id, path, state, body } of entries.toReversed())
    if (path === undoPath && state.kind === 'acknowledged' && !undone.has(id)) undone.add(body['commandId']);
  return undone.size === 0 ? entries : entries.filter(({ id }) => !undone.has(id));
};

/** What it gives its target, by member. */
export const givenBy = ({ body, gives = body }: Pick<CommandDraft, 'body' | 'gives'>): CommandDraft['body'] => gives;

export const isUnsent = (entry: Entry): boolean => entry.state.kind === 'pending';

/** The screen may be ahead of the server by it: what is on its way, done but not come back, or to be chosen about. */
export const isWaiting = ({ state }: Entry): boolean => state.kind !== 'rejected';

/** Could not be sent and waits for the next attempt. */
export const isHeld = ({ state }: Entry): boolean => state.kind === 'pending' && state.held === true;

const fieldsOf = (entry: Pick<CommandDraft, 'body' | 'gives'>): readonly string[] => Object.keys(givenBy(entry));

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
