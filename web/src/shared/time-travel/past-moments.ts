import { ApiProblem } from '../api/api-problem.ts';
import type { ScopeStatus } from '../live/live.ts';
import { memoryReplica, type Replica } from '../replica/replica.ts';
import { fillScope, type PastReading, type PastSource } from './past-reading.ts';

export interface PastState {
  /** What was asked for last: a position, or a time with its zone; null = now. */
  readonly asked: string | null;
  /** The moment that is painted; it stays until the next one is whole. */
  readonly shown: { readonly position: number; readonly instant: string | null; readonly replica: Replica } | null;
  readonly loading: boolean;
  readonly problem: ApiProblem | null;
}

export interface PastMomentsDeps extends PastSource {
  readonly clock: {
    readonly setTimeout: (run: () => void, ms: number) => unknown;
    readonly clearTimeout: (handle: unknown) => void;
  };
}

/** Who drags a slider passes many moments: one is read when it stays for so many milliseconds. */
const settleTime = 120;

const atNow: PastState = { asked: null, shown: null, loading: false, problem: null };
const loading: ScopeStatus = { kind: 'loading' };

const problemOf = (thrown: unknown): ApiProblem =>
  thrown instanceof ApiProblem
    ? thrown
    : new ApiProblem({ code: 'INTERNAL', status: 500, message: 'Что-то пошло не так' });

/** The moment that is asked for and the one that is painted, with the scopes that are held there. */
export class PastMoments {
  readonly #deps: PastMomentsDeps;
  readonly #listeners = new Set<() => void>();
  /** How often each scope is held. */
  readonly #counts = new Map<string, number>();
  /** Of the scopes of the moment that is painted. */
  #statuses = new Map<string, ScopeStatus>();
  #state = atNow;
  #timer: unknown = null;
  #running = new AbortController();

  constructor(deps: PastMomentsDeps) {
    this.#deps = deps;
  }

  get state(): PastState {
    return this.#state;
  }

  scopeStatus(scope: string): ScopeStatus {
    return this.#statuses.get(scope) ?? loading;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  show(at: string): void {
    const { asked, shown, loading: isLoading, problem } = this.#state;
    if (at === asked) return;
    // The address learns the position of a time: that is the moment on the screen already.
    if (!isLoading && shown !== null && String(shown.position) === at && problem === null) {
      this.#set({ asked: at });
      return;
    }
    this.#begin(at, shown === null ? 0 : settleTime);
  }

  leave(): void {
    this.#stop();
    this.#statuses = new Map();
    this.#set(atNow);
  }

  retry(): void {
    if (this.#state.asked !== null) this.#begin(this.#state.asked, 0);
  }

  /** The scope is read in every moment as long as the returned function has not been called. */
  hold(scope: string): () => void {
    this.#counts.set(scope, (this.#counts.get(scope) ?? 0) + 1);
    void this.#addScope(scope);
    let released = false;
    return () => {
      if (released) return;
      released = true;
      const left = (this.#counts.get(scope) ?? 1) - 1;
      if (left > 0) this.#counts.set(scope, left);
      else this.#counts.delete(scope);
    };
  }

  #begin(at: string, wait: number): void {
    this.#stop();
    this.#set({ asked: at, loading: true, problem: null });
    this.#timer = this.#deps.clock.setTimeout(() => {
      this.#timer = null;
      void this.#load(at);
    }, wait);
  }

  #stop(): void {
    if (this.#timer !== null) this.#deps.clock.clearTimeout(this.#timer);
    this.#timer = null;
    this.#running.abort();
    this.#running = new AbortController();
  }

  async #load(at: string): Promise<void> {
    const { signal } = this.#running;
    const reading: PastReading = { at, signal, replica: memoryReplica(), statuses: new Map() };
    const fillAll = (scopes: readonly string[]) =>
      Promise.all(scopes.map((scope) => fillScope(scope, reading, this.#deps)));
    // Held since, and while these are read: nobody has read them for this moment.
    const late = (): readonly string[] => [...this.#counts.keys()].filter((scope) => !reading.statuses.has(scope));
    try {
      const [of] = await fillAll([...new Set(['workspace', ...this.#counts.keys()])]);
      for (let more = late(); more.length > 0 && !signal.aborted; more = late()) await fillAll(more);
      if (signal.aborted) return;
      this.#statuses = reading.statuses;
      const { replica } = reading;
      const shown = { position: of?.position ?? Number(at), instant: of?.instant ?? null, replica };
      this.#set({ shown, loading: false, problem: null });
    } catch (thrown) {
      if (!signal.aborted) this.#set({ loading: false, problem: problemOf(thrown) });
    }
  }

  /** Reads a scope that is held only now into the moment that is painted. */
  async #addScope(scope: string): Promise<void> {
    const { asked, shown } = this.#state;
    const statuses = this.#statuses;
    if (asked === null || shown === null || statuses.has(scope)) return;
    const { signal } = this.#running;
    const reading: PastReading = { at: String(shown.position), signal, replica: shown.replica, statuses };
    try {
      await fillScope(scope, reading, this.#deps);
      if (statuses === this.#statuses) this.#set({});
    } catch (thrown) {
      if (!signal.aborted && statuses === this.#statuses) this.#set({ problem: problemOf(thrown) });
    }
  }

  #set(change: Partial<PastState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}
