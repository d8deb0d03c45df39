import type { Replica } from '../replica/replica.ts';
import { singleEntries } from './batch.ts';
import { type Entry, withTarget } from './entry.ts';
import { entryList } from './entry-list.ts';
import type { EntryStore } from './entry-store.ts';
import type { TabChannel, TabMessage } from './tab-channel.ts';

export interface KeeperDeps {
  /** Whose commands they are: the id of what one makes follows from the person and its own id. */
  readonly personId: string;
  readonly store: EntryStore;
  readonly replica: Pick<Replica, 'seen' | 'position' | 'subscribe'>;
  readonly tabs: TabChannel | null;
}

/** The entries of this tab, each of them in the store too and told to the other tabs. */
export class EntryKeeper {
  readonly #deps: KeeperDeps;
  readonly #list = entryList();
  /** Ids of entries. */
  readonly #made = new Set<string>();
  /** Ids of what this tab keeps for others, and of what it kept: what of them is found in the store is no news. */
  readonly #setAside = new Set<string>();
  #order = 0;
  #durable: boolean;

  constructor(deps: KeeperDeps) {
    this.#deps = deps;
    this.#durable = deps.store.durable;
  }

  /** Also while it is walked through, what comes meanwhile is in it. */
  get entries(): ReadonlyMap<string, Entry> {
    return this.#list.entries;
  }

  /** False = what is unsent dies with the tab. */
  get durable(): boolean {
    return this.#durable;
  }

  /** In order of issue; the same array while nothing changed. */
  all(): readonly Entry[] {
    return this.#list.all();
  }

  ofLane(lane: string): readonly Entry[] {
    return this.#list.ofLane(lane);
  }

  subscribe(listener: () => void): () => void {
    return this.#list.subscribe(listener);
  }

  wasMade(entryId: string): boolean {
    return this.#made.has(entryId);
  }

  /** The place of the next entry in the order of issue. */
  nextOrder(): number {
    this.#order += 1;
    return this.#order;
  }

  async keep(entry: Entry): Promise<void> {
    const { entries, tell } = this.#list;
    entries.set(entry.id, entry);
    tell();
    this.#deps.tabs?.post({ type: 'put', entry });
    await this.#put(entry);
  }

  /** Keeps in the store alone what somebody else sends. */
  async keepAside(entry: Entry): Promise<void> {
    this.#setAside.add(entry.id);
    this.#list.tell();
    await this.#put(entry);
  }

  /** Resolves once it is out of the store, rejects where it cannot be taken out. */
  drop(id: string): Promise<void> {
    const { entries, tell } = this.#list;
    entries.delete(id);
    tell();
    this.#deps.tabs?.post({ type: 'removed', id });
    return this.#deps.store.remove(id);
  }

  /** Takes over what other tabs left in the store. */
  async load(): Promise<void> {
    const { entries, tell } = this.#list;
    for (const entry of await this.#deps.store.load()) {
      if (!entries.has(entry.id) && !this.#setAside.has(entry.id))
        entries.set(entry.id, withTarget(entry, this.#deps.personId));
      this.#order = Math.max(this.#order, entry.order);
    }
    tell();
  }

  /** Takes over what another tab has kept or dropped. */
  hear(message: Exclude<TabMessage, { readonly type: 'flush' }>): void {
    const { entries, tell } = this.#list;
    if (message.type === 'removed') entries.delete(message.id);
    else {
      entries.set(message.entry.id, withTarget(message.entry, this.#deps.personId));
      this.#order = Math.max(this.#order, message.entry.order);
    }
    tell();
    this.settle();
  }

  /** Entries that the replica has caught up with have nothing to say any more. */
  settle(): void {
    const { replica } = this.#deps;
    const { entries, tell } = this.#list;
    let changed = false;
    for (const entry of entries.values()) {
      const singles = singleEntries(entry);
      for (const { id, creates, target } of singles)
        if (creates === true && replica.seen(target.kind, target.id) >= 0) this.#made.add(id);
      if (entry.state.kind !== 'acknowledged') continue;
      const { position } = entry.state;
      const arrived = singles.every(({ target }) => replica.seen(target.kind, target.id) >= position);
      if (arrived || (replica.position(entry.scope) ?? -1) >= position) {
        entries.delete(entry.id);
        changed = true;
      }
    }
    if (changed) tell();
  }

  async #put(entry: Entry): Promise<void> {
    const { store } = this.#deps;
    try {
      // Acknowledged entries live on only to be predicted from: the server has them.
      await (entry.state.kind === 'acknowledged' ? store.remove(entry.id) : store.put(entry));
    } catch {
      // A full or closed store must not stop the sending; leaving the page is guarded from now on.
      this.#durable = false;
    }
  }
}
