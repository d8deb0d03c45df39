import type { ProblemBody } from '@zakup/contracts/problems';
import type { ApiClient } from '../api/api-client.ts';
import { ApiProblem } from '../api/api-problem.ts';
import type { Live, ScopeStatus } from '../live/live.ts';
import { memoryReplica, type Replica } from '../replica/replica.ts';
import { type PastScope, readScope } from './past-scopes.ts';

export interface PastViewDeps {
  readonly api: Pick<ApiClient, 'get'>;
  /** The line of now: what is held in the past stays held there, so that now is there again at once. */
  readonly live: Live;
  readonly now: Replica;
  readonly clock: {
    readonly setTimeout: (run: () => void, ms: number) => unknown;
    readonly clearTimeout: (handle: unknown) => void;
  };
}

export interface PastState {
  /** What was asked for last: a position, or a time with its zone; null = now. */
  readonly asked: string | null;
  /** The moment that is painted; it stays until the next one is whole. */
  readonly shown: { readonly position: number; readonly instant: string | null; readonly replica: Replica } | null;
  readonly loading: boolean;
  readonly problem: ApiProblem | null;
}

/** Moments of the past, read over HTTP, one replica each; its `live` stands for the live channel below. */
export interface PastView {
  /** The last one that was asked for wins; what was under way for another is given up. */
  readonly show: (at: string) => void;
  readonly leave: () => void;
  readonly retry: () => void;
  readonly state: () => PastState;
  readonly subscribe: (listener: () => void) => () => void;
  readonly live: Live;
}

/** Who drags a slider passes many moments: one is read when it stays for so many milliseconds. */
const settleTime = 120;

const now: PastState = { asked: null, shown: null, loading: false, problem: null };
const nobody: ReturnType<Live['people']> = [];
const loading: ScopeStatus = { kind: 'loading' };
const ready: ScopeStatus = { kind: 'ready' };

const bodyOf = ({ code, status, message, requestId }: ApiProblem): ProblemBody => ({
  type: 'about:blank',
  title: code,
  status,
  detail: message,
  instance: requestId ?? '',
  success: false,
  error: message,
  code: code === 'NETWORK' ? 'UNAVAILABLE' : code,
});

/** What was not there yet, or is not for this person, is an answer too. */
const isAnswer = (thrown: unknown): thrown is ApiProblem =>
  thrown instanceof ApiProblem && (thrown.code === 'NOT_FOUND' || thrown.code === 'ACCESS_DENIED');

const problemOf = (thrown: unknown): ApiProblem =>
  thrown instanceof ApiProblem
    ? thrown
    : new ApiProblem({ code: 'INTERNAL', status: 500, message: 'Что-то пошло не так' });

export const pastView = ({ api, live, now: present, clock }: PastViewDeps): PastView => {
  const listeners = new Set<() => void>();
  const counts = new Map<string, number>();
  let statuses = new Map<string, ScopeStatus>();
  let state = now;
  let timer: unknown = null;
  let running = new AbortController();

  const set = (change: Partial<PastState>): void => {
    state = { ...state, ...change };
    for (const listener of listeners) listener();
  };

  const stop = (): void => {
    if (timer !== null) clock.clearTimeout(timer);
    timer = null;
    running.abort();
    running = new AbortController();
  };

  /** Reads one scope into a replica. Answers the event that the answers are of. */
  const fill = async (
    replica: Replica,
    into: Map<string, ScopeStatus>,
    scope: string,
    at: string,
    signal: AbortSignal,
  ): Promise<Pick<PastScope, 'position' | 'instant'>> => {
    let read: PastScope = { docs: [], position: null, instant: null };
    let status: ScopeStatus = ready;
    try {
      read = await readScope(scope, { api, at, signal, now: present });
    } catch (thrown) {
      if (scope === 'workspace' || !isAnswer(thrown)) throw thrown;
      status = { kind: 'refused', problem: bodyOf(thrown) };
    }
    const changes = read.docs.map(([kind, doc]) => ({ kind, id: doc.id, position: 1, doc }));
    replica.apply({ scope, position: 1, last: true, docs: changes });
    into.set(scope, status);
    return read;
  };

  const load = async (at: string): Promise<void> => {
    const { signal } = running;
    const replica = memoryReplica();
    const into = new Map<string, ScopeStatus>();
    try {
      const scopes = [...new Set(['workspace', ...counts.keys()])];
      const [of] = await Promise.all(scopes.map((scope) => fill(replica, into, scope, at, signal)));
      // Held since, and while these are read: nobody has read them for this moment.
      const late = (): readonly string[] => [...counts.keys()].filter((scope) => !into.has(scope));
      for (let more = late(); more.length > 0 && !signal.aborted; more = late())
        await Promise.all(more.map((scope) => fill(replica, into, scope, at, signal)));
      if (signal.aborted) return;
      statuses = into;
      const shown = { position: of?.position ?? Number(at), instant: of?.instant ?? null, replica };
      set({ shown, loading: false, problem: null });
    } catch (thrown) {
      if (!signal.aborted) set({ loading: false, problem: problemOf(thrown) });
    }
  };

  const addScope = async (scope: string): Promise<void> => {
    const { asked, shown } = state;
    if (asked === null || shown === null || statuses.has(scope)) return;
    const { signal } = running;
    const into = statuses;
    try {
      await fill(shown.replica, into, scope, String(shown.position), signal);
      if (into === statuses) set({});
    } catch (thrown) {
      if (!signal.aborted && into === statuses) set({ problem: problemOf(thrown) });
    }
  };

  const begin = (at: string, wait: number): void => {
    stop();
    set({ asked: at, loading: true, problem: null });
    timer = clock.setTimeout(() => {
      timer = null;
      void load(at);
    }, wait);
  };

  return {
    show(at) {
      if (at === state.asked) return;
      // The address learns the position of a time: that is the moment on the screen already.
      if (!state.loading && state.shown !== null && String(state.shown.position) === at && state.problem === null) {
        set({ asked: at });
        return;
      }
      begin(at, state.shown === null ? 0 : settleTime);
    },
    leave() {
      stop();
      statuses = new Map();
      set(now);
    },
    retry() {
      if (state.asked !== null) begin(state.asked, 0);
    },
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    live: {
      ...live,
      hold(scope) {
        const release = live.hold(scope);
        counts.set(scope, (counts.get(scope) ?? 0) + 1);
        void addScope(scope);
        let released = false;
        return () => {
          release();
          if (released) return;
          released = true;
          const left = (counts.get(scope) ?? 1) - 1;
          if (left > 0) counts.set(scope, left);
          else counts.delete(scope);
        };
      },
      // Nobody works in the past, and nobody is shown there.
      present: () => undefined,
      people: () => nobody,
      authorOf: () => null,
      retryNow() {
        if (state.asked !== null) begin(state.asked, 0);
        live.retryNow();
      },
      scopeStatus: (scope) => statuses.get(scope) ?? loading,
      subscribe(listener) {
        const stopLive = live.subscribe(listener);
        listeners.add(listener);
        return () => {
          stopLive();
          listeners.delete(listener);
        };
      },
    },
  };
};
