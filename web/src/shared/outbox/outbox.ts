import { backOff } from '@zakup/async/back-off';
import type { DocKind } from '@zakup/contracts/wire-entities';
import type { Replica } from '../replica/replica.ts';
import {
  type CommandDraft,
  draftOf,
  type Entry,
  isHeld,
  isUnsent,
  laneOf,
  rebased,
  replaces,
  type UntargetedEntry,
  unmadeIn,
  waitsForMaking,
  withTarget,
} from './entry.ts';
import { entryList } from './entry-list.ts';
import type { EntryStore } from './entry-store.ts';
import type { Transport } from './transport.ts';

export type TabMessage =
  | { readonly type: 'put'; readonly entry: UntargetedEntry }
  | { readonly type: 'removed'; readonly id: string }
  /** To the tab that sends: do not wait for the next attempt. */
  | { readonly type: 'flush' };

/** Talk between the tabs of one box. */
export interface TabChannel {
  readonly post: (message: TabMessage) => void;
  /** Returns the end of listening. */
  readonly listen: (listener: (message: TabMessage) => void) => () => void;
}

export interface OutboxDeps {
  /** Whose commands they are: the id of what one makes follows from the person and its own id. */
  readonly personId: string;
  readonly store: EntryStore;
  readonly transport: Transport;
  readonly replica: Pick<Replica, 'seen' | 'position' | 'subscribe'>;
  /** What is wrong with a command in itself, so that it is not sent; absent = the server has every say. */
  readonly refusal?: (draft: CommandDraft) => { readonly code: string; readonly reason: string } | null;
  readonly newId: () => string;
  readonly clock: {
    readonly now: () => number;
    readonly setTimeout: (run: () => void, ms: number) => unknown;
    readonly clearTimeout: (handle: unknown) => void;
  };
  /** 0 to 1, spreads the attempts of many clients. */
  readonly chance: () => number;
  readonly tabs: TabChannel | null;
  /** Calls `lead` once this tab is the one that sends; it leads until the returned function is called. */
  readonly election: (lead: () => void) => () => void;
}

/** A command that somebody else sends, kept before that under the id it is sent with. */
export interface Reserved {
  readonly id: string;
  /** Whoever asked was answered, whatever that was. */
  readonly answered: () => void;
  /** Nobody answered: it goes on here under its id, as one that could not be sent. */
  readonly goOn: () => Entry;
}

/** Commands of one person on their way: kept, in order per entity, never lost, doubled or silently local. */
export interface Outbox {
  /** False = what is unsent dies with the tab. */
  readonly durable: () => boolean;
  /** Takes a command, shows it at once, keeps it, sends it; one that is wrong in itself is refused at once, and kept. Answers its id. */
  readonly issue: (draft: CommandDraft) => string;
  /**
   * Keeps a command for whoever sends it themselves, such as a form that tells a refusal where it was asked for. It is on no screen until it
   * goes on here; a tab that is killed meanwhile leaves it to the next one, which sends it under the same id. Resolves once it is kept.
   */
  readonly reserve: (draft: CommandDraft) => Promise<Reserved>;
  /** How many are with whoever sends them themselves. */
  readonly reserved: () => number;
  /** The refused value is taken off the screen. Only for entries that wait for no answer. */
  readonly dismiss: (id: string) => void;
  /** «Оставить моё»: the same wish as a new command on the revision that was shown. */
  readonly keepMine: (id: string) => void;
  /** «Взять новое». */
  readonly takeTheirs: (id: string) => void;
  /** The refused command as a new one; one that creates goes under its own id, so that it makes one thing however it was answered. */
  readonly tryAgain: (id: string) => void;
  /** The refused command with another body; one that creates makes what it would have made, which others may name already. */
  readonly revise: (id: string, body: CommandDraft['body']) => void;
  /** Sends what waits without waiting for the next attempt (the line is back, the session renewed). */
  readonly flush: () => void;
  /** Whether what an entry creates was there since this tab knows the entry; that it went again, or a reset, changes nothing of it. */
  readonly wasMade: (entryId: string) => boolean;
  /** Everything not yet settled, in order of issue; the same array while nothing changed. */
  readonly entries: () => readonly Entry[];
  /** The changes of one entity, in order of issue, its creation left out; the same array while none of them changed. */
  readonly entriesOf: (kind: DocKind, id: string) => readonly Entry[];
  readonly subscribe: (listener: () => void) => () => void;
  readonly close: () => void;
}

export const firstRetry = 1000;
const longestRetry = 30_000;

/** Loads what an earlier session left behind and begins to send it. */
export const openOutbox = async (deps: OutboxDeps): Promise<Outbox> => {
  const { personId, store, transport, replica, clock } = deps;
  const { entries, all, ofLane, tell, subscribe } = entryList();
  const busy = new Set<string>();
  /** Ids of entries. */
  const made = new Set<string>();
  /** Ids of what this tab keeps for others, and of what it kept: what of them is found in the store is no news. */
  const reservedHere = new Set<string>();
  let underWay = 0;
  let order = 0;
  let leading = false;
  let { durable } = store;
  let closed = false;
  let failures = 0;
  let retry: unknown = null;

  /** Entries that the replica has caught up with have nothing to say any more. */
  const settle = (): void => {
    let changed = false;
    for (const entry of entries.values()) {
      if (entry.creates === true && replica.seen(entry.target.kind, entry.target.id) >= 0) made.add(entry.id);
      if (entry.state.kind !== 'acknowledged') continue;
      const { position } = entry.state;
      const { kind, id } = entry.target;
      const arrived = replica.seen(kind, id) >= position;
      if (arrived || (replica.position(entry.scope) ?? -1) >= position) {
        entries.delete(entry.id);
        changed = true;
      }
    }
    if (changed) tell();
  };

  const put = async (entry: Entry): Promise<void> => {
    try {
      // Acknowledged entries live on only to be predicted from: the server has them.
      await (entry.state.kind === 'acknowledged' ? store.remove(entry.id) : store.put(entry));
    } catch {
      // A full or closed store must not stop the sending; leaving the page is guarded from now on.
      durable = false;
    }
  };

  const keep = async (entry: Entry): Promise<void> => {
    entries.set(entry.id, entry);
    tell();
    deps.tabs?.post({ type: 'put', entry });
    await put(entry);
  };

  const drop = (id: string): void => {
    entries.delete(id);
    tell();
    deps.tabs?.post({ type: 'removed', id });
    store.remove(id).then(pump, pump);
  };

  /** While one waits for the next attempt nothing else is sent either: all that is not under way is not saved yet. */
  const holdBack = (): void => {
    for (const entry of all())
      if (isUnsent(entry) && !isHeld(entry) && !busy.has(laneOf(entry)))
        void keep({ ...entry, state: { kind: 'pending', held: true } });
  };

  const scheduleRetry = (seconds: number | null): void => {
    if (retry !== null || closed) return;
    const longer = backOff({ first: firstRetry, longest: longestRetry }, failures);
    failures += 1;
    const wait = Math.max(seconds === null ? 0 : seconds * 1000, longer * (0.5 + deps.chance() / 2));
    retry = clock.setTimeout(() => {
      retry = null;
      pump();
    }, wait);
  };

  const finish = async (sent: Entry): Promise<void> => {
    const result = await transport.send(sent);
    if (closed) return;
    switch (result.kind) {
      case 'accepted': {
        failures = 0;
        const done: Entry = {
          ...sent,
          state: { kind: 'acknowledged', position: result.position, revision: result.revision },
        };
        await keep(done);
        for (const earlier of all()) if (replaces(done, earlier)) drop(earlier.id);
        for (const next of entries.values()) {
          if (laneOf(next) !== laneOf(sent) || next.order <= sent.order || next.attempted) continue;
          const baseRevision = rebased(next, done);
          if (baseRevision !== next.baseRevision) await keep({ ...next, baseRevision });
        }
        settle();
        return;
      }
      case 'later':
        scheduleRetry(result.retryAfterSeconds);
        holdBack();
        return keep({ ...sent, state: { kind: 'pending', held: true } });
      case 'rejected':
        failures = 0;
        return keep({ ...sent, state: { kind: 'rejected', code: result.code, reason: result.reason } });
      case 'conflict':
        failures = 0;
        return keep({
          ...sent,
          state: { kind: 'conflict', conflicts: result.conflicts, revision: result.revision },
        });
    }
  };

  const send = async (entry: Entry): Promise<void> => {
    const lane = laneOf(entry);
    busy.add(lane);
    try {
      const sent = entry.attempted ? entry : { ...entry, attempted: true };
      await keep(sent);
      await finish(sent);
    } finally {
      busy.delete(lane);
    }
    if (!closed) pump();
  };

  const pump = (): void => {
    if (!leading || closed) return;
    if (retry !== null) return holdBack();
    const taken = new Set(busy);
    const unmade = unmadeIn(all());
    for (const entry of all()) {
      const lane = laneOf(entry);
      // A conflict holds back what follows on the same entity until the person has chosen.
      if (entry.state.kind === 'conflict') taken.add(lane);
      if (entry.state.kind !== 'pending' || taken.has(lane) || waitsForMaking(entry, unmade)) continue;
      taken.add(lane);
      void send(entry);
    }
  };

  /** In whichever tab it is asked for: the one that sends does it. */
  const flush = (): void => {
    if (!leading) return deps.tabs?.post({ type: 'flush' });
    if (retry !== null) clock.clearTimeout(retry);
    retry = null;
    failures = 0;
    pump();
  };

  const entryOf = (draft: CommandDraft, state: Entry['state'], attempted = false): Entry => {
    let { baseRevision } = draft;
    for (const earlier of attempted ? [] : all())
      if (earlier.target.id === draft.target.id && earlier.target.kind === draft.target.kind)
        baseRevision = rebased({ ...draft, baseRevision }, earlier);
    order += 1;
    const id = deps.newId();
    return withTarget({ ...draft, baseRevision, id, order, issuedAt: clock.now(), attempted, state }, personId);
  };

  const issue = (draft: CommandDraft): string => {
    const refusal = deps.refusal?.(draft) ?? null;
    const entry = entryOf(draft, refusal === null ? { kind: 'pending' } : { kind: 'rejected', ...refusal });
    // Kept before it is sent: a tab killed in between sends it after its restart.
    void keep(entry).then(pump);
    return entry.id;
  };

  const reserve = async (draft: CommandDraft): Promise<Reserved> => {
    // What is asked for now stands on what the person sees now, so it is sent as it is.
    const entry = entryOf(draft, { kind: 'pending', held: true }, true);
    reservedHere.add(entry.id);
    underWay += 1;
    tell();
    await put(entry);
    return {
      id: entry.id,
      answered: () => {
        underWay -= 1;
        drop(entry.id);
      },
      goOn: () => {
        underWay -= 1;
        void keep(entry).then(pump);
        return entry;
      },
    };
  };

  /** The new one first: a tab killed in between leaves both rather than neither. */
  const reissue = (entry: Entry, change: Partial<CommandDraft>): void => {
    issue({ ...draftOf(entry), ...change });
    drop(entry.id);
  };

  const chosen = (id: string): Entry | null => {
    const entry = entries.get(id);
    return entry && (entry.state.kind === 'conflict' || entry.state.kind === 'rejected') ? entry : null;
  };

  const load = async (): Promise<void> => {
    for (const entry of await store.load()) {
      if (!entries.has(entry.id) && !reservedHere.has(entry.id)) entries.set(entry.id, withTarget(entry, personId));
      order = Math.max(order, entry.order);
    }
    tell();
  };
  await load();

  const stopReplica = replica.subscribe(settle);
  const stopTabs = deps.tabs?.listen((message) => {
    if (message.type === 'flush') {
      if (leading) flush();
      return;
    }
    if (message.type === 'removed') entries.delete(message.id);
    else {
      entries.set(message.entry.id, withTarget(message.entry, personId));
      order = Math.max(order, message.entry.order);
    }
    tell();
    settle();
    pump();
  });
  const stopLeading = deps.election(() => {
    leading = true;
    // What a tab that is gone kept meanwhile.
    load().then(pump, pump);
  });

  return {
    durable: () => durable,
    issue,
    reserve,
    reserved: () => underWay,
    dismiss(id) {
      if (chosen(id)) drop(id);
    },
    takeTheirs(id) {
      if (chosen(id)) drop(id);
    },
    keepMine(id) {
      const entry = chosen(id);
      if (entry?.state.kind === 'conflict') reissue(entry, { baseRevision: entry.state.revision });
    },
    tryAgain(id) {
      const entry = chosen(id);
      if (entry === null) return;
      if (entry.creates !== true) return reissue(entry, {});
      // A refusal leaves its id free, and what was carried out in spite of the answer is answered by the log.
      if ((deps.refusal?.(entry) ?? null) === null) void keep({ ...entry, state: { kind: 'pending' } }).then(pump);
    },
    revise(id, body) {
      const entry = chosen(id);
      if (entry === null) return;
      if (entry.creates !== true) return reissue(entry, { body });
      void keep({ ...entry, body, issuedAt: clock.now(), state: { kind: 'pending' } }).then(pump);
    },
    flush,
    wasMade: (entryId) => made.has(entryId),
    entries: all,
    entriesOf: (kind, id) => ofLane(`${kind}:${id}`),
    subscribe,
    close() {
      closed = true;
      if (retry !== null) clock.clearTimeout(retry);
      stopReplica();
      stopTabs?.();
      stopLeading();
    },
  };
};

/** How many commands the server does not have yet. */
export const unsentCount = (entries: readonly Entry[]): number => entries.filter(isUnsent).length;
