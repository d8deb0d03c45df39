import { PatchMismatch, patched } from '@zakup/contracts/patch';
import type { Change, Changes, PatchedChange } from '@zakup/contracts/socket';
import type { arrivingLoads, Waiting } from './arriving-loads.ts';
import type { docLists } from './doc-lists.ts';
import { type Load, saidIn, type ScopeState, type Touched } from './known-doc.ts';
import type { replicaListeners } from './replica-listeners.ts';
import type { ReplicaState } from './replica-state.ts';

export interface ReplicaWriterDeps {
  readonly state: ReplicaState;
  readonly loads: ReturnType<typeof arrivingLoads>;
  readonly lists: Pick<ReturnType<typeof docLists>, 'update' | 'forget'>;
  readonly listeners: Pick<ReturnType<typeof replicaListeners>, 'notify'>;
}

/**
 * One's own full record comes as a `user` of `me`: kept as what it is, a `person`, so that it never takes the place of
 * the four public members that `workspace` has under the same id at the same position.
 */
const asKept = <Any extends Change | PatchedChange>(scope: string, change: Any): Any =>
  scope === 'me' && change.kind === 'user' ? { ...change, kind: 'person' } : change;

/** Of what came in one load the newest of each. */
const newestOfEach = (waiting: readonly Waiting[]): ReadonlyMap<string, Waiting> => {
  const newest = new Map<string, Waiting>();
  for (const one of waiting) {
    const before = newest.get(one.known.key);
    if (!before || one.position > before.position) newest.set(one.known.key, one);
  }
  return newest;
};

/** Takes over what comes of scopes, and tells the lists and the listeners. */
export class ReplicaWriter {
  readonly #deps: ReplicaWriterDeps;
  /** What changed and was not told yet, while several messages are taken; null = each is told at once. */
  #untold: Touched | null = null;

  constructor(deps: ReplicaWriterDeps) {
    this.#deps = deps;
  }

  /** Takes one message of a scope; false, and nothing of it is taken, when a patch does not fit. */
  apply(changes: Changes<Change | PatchedChange>): boolean {
    const { state, loads } = this.#deps;
    const scope = state.scopeOf(changes.scope);
    try {
      for (const change of this.#wholeOf(scope, changes)) loads.take(scope, change, state.asks);
    } catch (error) {
      if (!(error instanceof PatchMismatch)) throw error;
      return false;
    }
    if (!changes.last) return true;
    const touched: Touched = new Map();
    const { load, waiting } = loads.complete(scope);
    if (scope.replacing || !scope.drawn) scope.loaded = scope.asked;
    this.#settle(scope, waiting, touched);
    scope.replacing = false;
    scope.drawn = true;
    scope.position = Math.max(scope.position ?? -1, changes.position);
    this.#publish(touched, load);
    return true;
  }

  /** Tells of all that is taken meanwhile once, at the end. */
  together(run: () => void): void {
    if (this.#untold !== null) {
      run();
      return;
    }
    const untold: Touched = new Map();
    this.#untold = untold;
    try {
      run();
    } finally {
      this.#untold = null;
      if (untold.size > 0) this.#deps.listeners.notify(untold, null);
    }
  }

  reset(name: string): void {
    const scope = this.#deps.state.scopeOf(name);
    scope.position = null;
    scope.replacing = scope.drawn;
    this.#deps.loads.drop(scope);
  }

  /** Shows what was kept of a scope that was never drawn and of which nothing has come. */
  paint(name: string, docs: readonly Pick<Change, 'kind' | 'id' | 'doc'>[]): void {
    const { state, loads } = this.#deps;
    const scope = state.scopeOf(name);
    if (scope.drawn || loads.isUnderWay(scope)) return;
    const touched: Touched = new Map();
    for (const { kind, id, doc } of docs) this.#say(scope, { known: state.docOf(kind, id), position: 0, doc }, touched);
    scope.drawn = true;
    // Of no known position: whatever the server says is newer.
    this.reset(name);
    this.#publish(touched);
  }

  abandonPartial(name: string): void {
    const scope = this.#deps.state.scopes.get(name);
    if (scope) this.#deps.loads.drop(scope);
  }

  forget(name: string): void {
    const { state, loads, lists } = this.#deps;
    const scope = state.scopes.get(name);
    if (!scope) return;
    const touched: Touched = new Map();
    for (const key of scope.keys) state.release(scope, key, touched);
    loads.drop(scope);
    state.scopes.delete(name);
    lists.forget(name);
    this.#publish(touched);
  }

  /** The message with whole documents; throws `PatchMismatch`. */
  #wholeOf(scope: ScopeState, { docs }: Changes<Change | PatchedChange>): readonly Change[] {
    return docs.flatMap((one) => {
      const change = asKept(scope.name, one);
      if (!('patch' in change)) return [change];
      const { kind, id, position, base, patch } = change;
      const there = this.#deps.state.findDoc(kind, id);
      const held = there && !scope.replacing ? saidIn(there, scope) : undefined;
      if (held !== undefined && held.position >= position) return [];
      if (held?.position !== base || held.doc === null) throw new PatchMismatch(`${kind} ${id}`);
      return [{ kind, id, position, doc: patched(held.doc, patch) }];
    });
  }

  /** What waited for the last part is said: all of a load that takes the place of what was there, else what is newer. */
  #settle(scope: ScopeState, waiting: readonly Waiting[], touched: Touched): void {
    if (!scope.replacing) {
      for (const one of waiting)
        if (one.position > (saidIn(one.known, scope)?.position ?? -1)) this.#say(scope, one, touched);
      return;
    }
    const whole = newestOfEach(waiting);
    for (const key of scope.keys) if (!whole.has(key)) this.#deps.state.release(scope, key, touched);
    for (const one of whole.values()) this.#say(scope, one, touched);
  }

  #say(scope: ScopeState, waiting: Waiting, touched: Touched): void {
    this.#deps.loads.unstage(waiting.known);
    this.#deps.state.say(scope, waiting, touched);
  }

  #publish(touched: Touched, load: Load | null = null): void {
    this.#deps.lists.update(touched);
    if (load === null && this.#untold !== null) for (const [key, kind] of touched) this.#untold.set(key, kind);
    else this.#deps.listeners.notify(touched, load);
  }
}
