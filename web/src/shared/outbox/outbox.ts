import type { DocKind } from '@zakup/contracts/wire-entities';
import { CommandIssuer, type IssuerDeps, type Reserved } from './command-issuer.ts';
import { type CommandDraft, type Entry, isUnsent } from './entry.ts';
import { EntryKeeper, type KeeperDeps } from './entry-keeper.ts';
import { EntrySender, type SenderDeps } from './entry-sender.ts';
import { resolutions } from './resolutions.ts';

export interface OutboxDeps extends KeeperDeps, Omit<SenderDeps, 'clock'>, Omit<IssuerDeps, 'clock'> {
  readonly clock: SenderDeps['clock'] & IssuerDeps['clock'];
  /** Calls `lead` once this tab is the one that sends; it leads until the returned function is called. */
  readonly election: (lead: () => void) => () => void;
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
  /** Takes back what was never sent, as if it had not been issued; false = it stays, and only the server can undo it. */
  readonly withdraw: (id: string) => boolean;
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

/** Loads what an earlier session left behind and begins to send it. */
export const openOutbox = async (deps: OutboxDeps): Promise<Outbox> => {
  const { replica, tabs, clock } = deps;
  const keeper = new EntryKeeper(deps);
  const sender = new EntrySender(keeper, deps);
  const issuer = new CommandIssuer(keeper, sender, deps);
  await keeper.load();

  const stopReplica = replica.subscribe(() => keeper.settle());
  const stopTabs = tabs?.listen((message) => {
    if (message.type === 'flush') {
      if (sender.leading) sender.flush();
      return;
    }
    keeper.hear(message);
    sender.pump();
  });
  const stopLeading = deps.election(() => sender.lead());

  return {
    ...resolutions({ keeper, sender, issuer, clock }),
    durable: () => keeper.durable,
    issue: (draft) => issuer.issue(draft),
    reserve: (draft) => issuer.reserve(draft),
    reserved: () => issuer.reserved,
    withdraw: (id) => sender.withdraw(id),
    flush() {
      // In whichever tab it is asked for: the one that sends does it.
      if (sender.leading) sender.flush();
      else tabs?.post({ type: 'flush' });
    },
    wasMade: (entryId) => keeper.wasMade(entryId),
    entries: () => keeper.all(),
    entriesOf: (kind, id) => keeper.ofLane(`${kind}:${id}`),
    subscribe: (listener) => keeper.subscribe(listener),
    close() {
      sender.close();
      stopReplica();
      stopTabs?.();
      stopLeading();
    },
  };
};

/** How many commands the server does not have yet. */
export const unsentCount = (entries: readonly Entry[]): number => entries.filter(isUnsent).length;
