import { useActorRef, useSelector } from '@xstate/react';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo } from 'react';
import { type ActorRefFrom, fromPromise } from 'xstate';
import type { LicenseWire } from '@zakup/contracts/wire-entities';
import { useApi } from '../api/api-context.tsx';
import { claimsOf, tokenKeys, type TokenPair, type TokenStore } from '../api/tokens.ts';
import { sessionMachine } from './session.machine.ts';
import { dayInMinutes, licenceLoginMinutes, writeSessionRecord } from './session-record.ts';
import { clearBefore, forgetSession, loadSession, rememberSession, restoreSession } from './session-store.ts';
import type { ReadOnlyNotice, SessionPerson } from './session-view.ts';
import { keepTokenFresh } from './token-renewal.ts';

export type SessionStatus = 'restoring' | 'signedOut' | 'changingPassword' | 'loading' | 'unreachable' | 'signedIn';

export interface SignIn {
  readonly kind: 'employee' | 'owner' | 'licence';
  readonly pair: TokenPair;
  readonly passwordChangeRequired?: boolean;
}

interface SessionControl {
  readonly actor: ActorRefFrom<typeof sessionMachine>;
  readonly signIn: (signIn: SignIn) => void;
}

const SessionContext = createContext<SessionControl | null>(null);

const later = (run: () => void, ms: number): number => window.setTimeout(run, ms);
const notLater = (handle: unknown): void => window.clearTimeout(handle as number);

const signOutGuards = new Set<() => Promise<boolean>>();

/** A guard is asked before logging out (unsent changes); false keeps the person signed in. Returns the way to stop. */
export const guardSignOut = (guard: () => Promise<boolean>): (() => void) => {
  signOutGuards.add(guard);
  return () => signOutGuards.delete(guard);
};

interface SessionProviderProps {
  readonly tokens: TokenStore;
  readonly storage: Storage;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly children: ReactNode;
}

export const SessionProvider = ({ tokens, storage, now, children }: SessionProviderProps) => {
  const api = useApi();
  const machine = useMemo(
    () =>
      sessionMachine.provide({
        actors: {
          restore: fromPromise(async () => restoreSession(storage, tokens, now())),
          load: fromPromise(() => loadSession(api)),
          signOut: fromPromise(async () => {
            const refreshToken = tokens.read()?.refreshToken;
            await api.send('POST', '/api/auth/logout', refreshToken ? { refreshToken } : {}, {
              signal: AbortSignal.timeout(3_000),
            });
            return undefined;
          }),
        },
        actions: {
          forget: () => forgetSession(storage, tokens),
          remember: (_, { view }) => rememberSession(storage, view),
        },
      }),
    [api, storage, tokens, now],
  );
  const actor = useActorRef(machine);

  useEffect(() => api.onSessionLost((message) => actor.send({ type: 'SESSION_LOST', message })), [api, actor]);

  useEffect(() => {
    const onStorage = (event: StorageEvent): void => {
      if (event.key === tokenKeys.access && event.newValue === null)
        actor.send({ type: 'SESSION_LOST', message: 'Вы вышли в другой вкладке' });
      // Another tab signed in as somebody else: nothing painted here belongs to them.
      const mine = actor.getSnapshot().context.view?.user.id;
      if (event.key === tokenKeys.access && event.newValue !== null && mine !== undefined)
        if (claimsOf(event.newValue)?.sub !== mine) window.location.reload();
    };
    window.addEventListener('storage', onStorage);
    return () => window.removeEventListener('storage', onStorage);
  }, [actor]);

  useEffect(
    () => keepTokenFresh({ api, tokens, clock: { now, setTimeout: later, clearTimeout: notLater } }),
    [api, tokens, now],
  );

  const control = useMemo<SessionControl>(
    () => ({
      actor,
      signIn: ({ kind, pair, passwordChangeRequired = false }) => {
        clearBefore(kind, storage);
        api.accept(pair);
        const userId = claimsOf(pair.token)?.sub ?? '';
        writeSessionRecord(storage, {
          userId,
          timestamp: now(),
          lifetimeMinutes: kind === 'licence' ? licenceLoginMinutes : dayInMinutes,
        });
        actor.send({ type: 'SIGNED_IN', kind, userId, passwordChangeRequired });
      },
    }),
    [actor, api, storage, now],
  );

  return <SessionContext.Provider value={control}>{children}</SessionContext.Provider>;
};

const useControl = (): SessionControl => {
  const control = useContext(SessionContext);
  if (control === null) throw new Error('useSession outside of SessionProvider');
  return control;
};

/** Where the session stands, with the sentence for the login page, and the moves that lead elsewhere. */
export const useSessionFlow = () => {
  const { actor, signIn } = useControl();
  const snapshot = useSelector(actor, (state) => state);
  const status: SessionStatus = snapshot.matches('signedIn')
    ? 'signedIn'
    : snapshot.matches('restoring')
      ? 'restoring'
      : snapshot.matches('changingPassword')
        ? 'changingPassword'
        : snapshot.matches('loading')
          ? 'loading'
          : snapshot.matches('unreachable')
            ? 'unreachable'
            : 'signedOut';
  return {
    status,
    notice: snapshot.context.notice,
    signIn,
    passwordChanged: () => actor.send({ type: 'PASSWORD_CHANGED' }),
    retry: () => actor.send({ type: 'REFRESH' }),
    /** Logs out without asking the guards. */
    leave: () => actor.send({ type: 'SIGN_OUT' }),
  };
};

const nobody = { subscribe: () => ({ unsubscribe: () => undefined }), getSnapshot: () => null };

/** Who is signed in, null where nobody is or nobody could be: for what also stands where the signed-in layout failed. */
export const useSignedIn = (): SessionPerson | null =>
  useSelector(useContext(SessionContext)?.actor ?? nobody, (state) => state?.context.view?.user ?? null);

export interface Session {
  readonly person: SessionPerson;
  /** Effective permissions by name: `permissions.settings === true`. */
  readonly permissions: Readonly<Record<string, boolean>>;
  readonly licence: LicenseWire | null;
  /** Null = changes are possible. */
  readonly readOnly: ReadOnlyNotice | null;
  /** Asks the guards, then ends the session here and on the server. False = the person stayed. */
  readonly signOut: () => Promise<boolean>;
  /** Asks the server again who the person is and what they may do. */
  readonly refresh: () => void;
}

/** The signed-in person; only below the signed-in layout. */
export const useSession = (): Session => {
  const { actor } = useControl();
  const view = useSelector(actor, (state) => state.context.view);
  const refresh = useCallback(() => actor.send({ type: 'REFRESH' }), [actor]);
  const signOut = useCallback(async () => {
    for (const guard of signOutGuards) if (!(await guard())) return false;
    actor.send({ type: 'SIGN_OUT' });
    return true;
  }, [actor]);
  if (view === null) throw new Error('useSession without a signed-in person');
  return useMemo(
    () => ({
      person: view.user,
      permissions: view.permissions,
      licence: view.license,
      readOnly: view.readOnly,
      signOut,
      refresh,
    }),
    [view, signOut, refresh],
  );
};
