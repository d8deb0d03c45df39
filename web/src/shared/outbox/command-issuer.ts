import { rebasedOn } from './batch.ts';
import { type CommandDraft, draftOf, type Entry, withTarget } from './entry.ts';
import type { EntryKeeper } from './entry-keeper.ts';
import type { EntrySender } from './entry-sender.ts';

/** A command that somebody else sends, kept before that under the id it is sent with. */
export interface Reserved {
  readonly id: string;
  /** Whoever asked was answered, whatever that was. */
  readonly answered: () => void;
  /** Nobody answered: it goes on here under its id, as one that could not be sent. */
  readonly goOn: () => Entry;
}

export interface IssuerDeps {
  readonly personId: string;
  /** What is wrong with a command in itself, so that it is not sent; absent = the server has every say. */
  readonly refusal?: (draft: CommandDraft) => { readonly code: string; readonly reason: string } | null;
  readonly newId: () => string;
  readonly clock: { readonly now: () => number };
}

/** Makes entries of what is asked for. */
export class CommandIssuer {
  readonly #keeper: EntryKeeper;
  readonly #sender: EntrySender;
  readonly #deps: IssuerDeps;
  #reserved = 0;

  constructor(keeper: EntryKeeper, sender: EntrySender, deps: IssuerDeps) {
    this.#keeper = keeper;
    this.#sender = sender;
    this.#deps = deps;
  }

  /** How many are with whoever sends them themselves. */
  get reserved(): number {
    return this.#reserved;
  }

  /** Null = it may be sent. */
  refusalOf(draft: CommandDraft): { readonly code: string; readonly reason: string } | null {
    return this.#deps.refusal?.(draft) ?? null;
  }

  /** Answers the id of the entry. */
  issue(draft: CommandDraft): string {
    const refusal = this.refusalOf(draft);
    const state: Entry['state'] = refusal === null ? { kind: 'pending' } : { kind: 'rejected', ...refusal };
    const entry = this.#entryOf(draft, { state, attempted: false });
    this.#sender.enqueue(entry);
    return entry.id;
  }

  /** The new one first: a tab killed in between leaves both rather than neither. */
  reissue(entry: Entry, change: Partial<CommandDraft>): void {
    this.issue({ ...draftOf(entry), ...change });
    this.#sender.drop(entry.id);
  }

  async reserve(draft: CommandDraft): Promise<Reserved> {
    // What is asked for now stands on what the person sees now, so it is sent as it is.
    const entry = this.#entryOf(draft, { state: { kind: 'pending', held: true }, attempted: true });
    this.#reserved += 1;
    await this.#keeper.keepAside(entry);
    return {
      id: entry.id,
      answered: () => {
        this.#reserved -= 1;
        this.#sender.drop(entry.id);
      },
      goOn: () => {
        this.#reserved -= 1;
        this.#sender.enqueue(entry);
        return entry;
      },
    };
  }

  #entryOf(draft: CommandDraft, { state, attempted }: Pick<Entry, 'state' | 'attempted'>): Entry {
    const { personId, newId, clock } = this.#deps;
    const order = this.#keeper.nextOrder();
    const issued = { ...draft, id: draft.id ?? newId(), order, issuedAt: clock.now(), attempted, state };
    let entry = withTarget(issued, personId);
    for (const earlier of attempted ? [] : this.#keeper.all()) entry = rebasedOn(entry, earlier);
    return entry;
  }
}
