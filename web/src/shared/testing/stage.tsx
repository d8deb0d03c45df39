import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { DocKind, LicenseWire, PersonWire } from '@zakup/contracts/wire-entities';
import type { Change, ChangedBy } from '@zakup/contracts/socket';
import { toProblemBody, type Problem, problemStatus } from '@zakup/contracts/problems';
import { features } from '@zakup/domain/permissions';
import { type ReactNode, useEffect, useState } from 'react';
import { MemoryRouter } from 'react-router-dom';
import { apiClient } from '../api/api-client.ts';
import { ApiProvider } from '../api/api-context.tsx';
import { tokenStore } from '../api/tokens.ts';
import { changeAuthors } from '../live/change-authors.ts';
import type { ConnectionStatus, Live, ScopeStatus } from '../live/live.ts';
import { LiveProvider } from '../live/live-context.tsx';
import type { Focus, PresentPerson } from '../live/presence.ts';
import { newCommandId } from '../api/new-command-id.ts';
import { type EntryStore, memoryEntryStore } from '../outbox/entry-store.ts';
import type { Outbox } from '../outbox/outbox.ts';
import { OutboxProvider } from '../outbox/outbox-context.tsx';
import { httpTransport } from '../outbox/transport.ts';
import { certainRefusal } from '../predictions/certain-refusal.ts';
import { memoryReplica } from '../replica/replica.ts';
import { ReplicaProvider } from '../replica/replica-context.tsx';
import { SessionProvider, useSessionFlow } from '../session/session-context.tsx';
import { dayInMinutes, writeSessionRecord } from '../session/session-record.ts';
import { rememberSession } from '../session/session-store.ts';
import { sessionViewOf } from '../session/session-view.ts';
import { openedOutbox } from './outbox.ts';

/** 21 November 2026, 14:02 at UTC+3. */
export const stageNow = Date.UTC(2026, 10, 21, 11, 2);
const stamp = { revision: 0, createdAt: '2026-02-03T09:00:00.000Z', updatedAt: '2026-02-03T09:00:00.000Z' };

export const licence: LicenseWire = {
  ...stamp,
  id: '3f-licence',
  licenseKey: 'LICENSE-••••-••••-••••-7Q4K',
  teamName: 'Вкус',
  ownerName: 'Виктор Лапин',
  ownerEmail: 'lapin@vkus.media',
  ownerTelegram: '',
  expiresAt: '2027-11-21T20:59:59.999Z',
  isActive: true,
  features: [...features],
  status: 'active',
  activated: true,
  maxConcurrentSessions: 10,
  gracePeriodUsed: false,
  gracePeriodExpiresAt: null,
  renewalRequestedAt: null,
  closesAt: null,
  ceoLoginCode: null,
  settings: {
    buyersEditAll: true,
    earningsVisible: true,
    codeOnlyLogin: false,
    secondFactorForAll: false,
    changeGivenPasswords: false,
    countZeroLeads: true,
    leadValue: 100,
  },
};

export const person = (id: string, over: Partial<PersonWire> = {}): PersonWire => ({
  ...stamp,
  id,
  name: 'Ольга Демидова',
  email: 'demidova@vkus.media',
  role: 'CBDO',
  authCode: 'ABCDEFGHP8RX',
  isActive: true,
  permissions: null,
  licenseId: licence.id,
  salaryType: null,
  salaryRate: null,
  performanceThreshold: null,
  isOwner: false,
  ...over,
});

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly commandId: string | null;
}
/** What the server says: data of a success, a refusal, or nothing at all. */
export type Answer =
  | {
      readonly data: unknown;
      readonly position?: number;
      /** Of the past: the event that it is of. */
      readonly at?: { readonly position: number; readonly time: string };
    }
  | { readonly problem: Problem }
  | 'no answer';

export interface StageOptions {
  readonly element: ReactNode;
  readonly me?: PersonWire;
  /** Documents by scope, all at position 1. */
  readonly docs?: Readonly<Record<string, readonly (readonly [DocKind, { readonly id: string }])[]>>;
  readonly address?: string;
  readonly serve?: (call: Call) => Answer | Promise<Answer>;
  readonly scopeStatus?: ScopeStatus;
  /** How the line stands. */
  readonly connection?: ConnectionStatus;
  /** What this browser remembers. */
  readonly kept?: Readonly<Record<string, string>>;
  /** What differs of the licence; also in the session's answer. */
  readonly licenceOver?: Partial<LicenseWire>;
  /** What differs of what the person may. */
  readonly permissionsOver?: Readonly<Record<string, boolean>>;
  /** The operator named the person. */
  readonly admin?: boolean;
  /** Changes go through an outbox over the server; the next attempt comes when it is flushed. */
  readonly withOutbox?: boolean;
  /** What it keeps; absent = nothing yet. */
  readonly entryStore?: EntryStore;
}

const nobody: readonly PresentPerson[] = [];

const base64 = (value: object): string => btoa(JSON.stringify(value)).replaceAll('=', '');

const Gate = ({ children }: { readonly children: ReactNode }) =>
  useSessionFlow().status === 'signedIn' ? children : null;

/** Draws what is below once the outbox is open. */
const Opened = ({ opening, children }: { readonly opening: Promise<Outbox> | null; readonly children: ReactNode }) => {
  const [outbox, setOutbox] = useState<Outbox | null>(null);
  useEffect(() => void opening?.then(setOutbox), [opening]);
  if (opening === null) return children;
  return outbox && <OutboxProvider value={outbox}>{children}</OutboxProvider>;
};

/** A screen with a person signed in, a filled replica and a server that answers as told. */
export const stage = ({
  element,
  me = person('me'),
  docs = {},
  address = '/',
  serve = () => 'no answer',
  scopeStatus = { kind: 'ready' },
  connection = { state: 'online', announced: false, dataAt: stageNow },
  kept = {},
  licenceOver = {},
  permissionsOver = {},
  admin = false,
  withOutbox = false,
  entryStore = memoryEntryStore(),
}: StageOptions) => {
  localStorage.clear();
  for (const [key, value] of Object.entries(kept)) localStorage.setItem(key, value);
  const license: LicenseWire = { ...licence, ...licenceOver };
  const calls: Call[] = [];
  const answerOf = (call: Call): Answer | Promise<Answer> => {
    if (call.path === '/api/auth/session') return { data: { user: me, license, permissions, admin } };
    calls.push(call);
    return serve(call);
  };
  const permissions = {
    dashboard: true,
    analytics: true,
    contractors: true,
    creatives: true,
    settings: me.role !== 'MEDIA_BUYER',
    reports: true,
    ...permissionsOver,
  };
  const fetchNow: typeof fetch = async (input, init) => {
    const headers = new Headers(init?.headers);
    const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined;
    const path = input instanceof Request ? input.url : input.toString();
    const answer = await answerOf({
      method: init?.method ?? 'GET',
      path,
      body,
      commandId: headers.get('idempotency-key'),
    });
    if (answer === 'no answer') throw new TypeError('fetch failed');
    const refused = 'problem' in answer;
    return new Response(
      JSON.stringify(
        refused
          ? toProblemBody(answer.problem, 'r1')
          : {
              success: true,
              error: null,
              data: answer.data,
              position: answer.position,
              at: answer.at,
              commandId: headers.get('idempotency-key'),
            },
      ),
      {
        status: refused ? problemStatus[answer.problem.code] : 200,
        headers: { 'content-type': refused ? 'application/problem+json' : 'application/json' },
      },
    );
  };

  const tokens = tokenStore(localStorage);
  const seconds = stageNow / 1000;
  const claims = { iat: seconds, exp: seconds + 900, sub: me.id, sid: 's', licenseId: licence.id, role: me.role };
  tokens.write({ token: `${base64({})}.${base64(claims)}.x`, refreshToken: null });
  writeSessionRecord(localStorage, { userId: me.id, timestamp: stageNow, lifetimeMinutes: dayInMinutes });
  rememberSession(localStorage, sessionViewOf({ user: me, license, permissions, admin }));

  const replica = memoryReplica();
  let position = 1;
  const now = (): number => stageNow;
  const authors = changeAuthors({ replica, now });
  /** The server sends documents of a scope, changed by somebody where it says so. */
  const bring = (
    scope: string,
    changes: readonly (readonly [DocKind, { readonly id: string }, by?: ChangedBy])[],
  ): void => {
    const arriving = changes.map(
      ([kind, doc, by]): Change => ({ kind, id: doc.id, position, doc, ...(by !== undefined && { by }) }),
    );
    authors.hear(arriving);
    replica.apply({ scope, position, last: true, docs: arriving });
    position += 1;
  };
  /** The server says that a document of a scope is there no more. */
  const withdraw = (scope: string, { kind, id }: { readonly kind: DocKind; readonly id: string }): void => {
    replica.apply({ scope, position, last: true, docs: [{ kind, id, position, doc: null }] });
    position += 1;
  };
  for (const [scope, list] of Object.entries(docs)) bring(scope, list);
  /** Scopes asked for, in order. */
  const held: string[] = [];
  /** Where the person showed to stand, in order. */
  const shown: { readonly scope: string; readonly focus: Focus | null }[] = [];
  const people = new Map<string, readonly PresentPerson[]>();
  const liveListeners = new Set<() => void>();
  /** The server says who is there. */
  const meet = (scope: string, list: readonly PresentPerson[]): void => {
    people.set(scope, list);
    for (const listener of liveListeners) listener();
  };
  const statuses = new Map<string, ScopeStatus>();
  /** The server says how it stands with one scope. */
  const answerScope = (scope: string, status: ScopeStatus): void => {
    statuses.set(scope, status);
    for (const listener of liveListeners) listener();
  };
  /** How often the person asked the line to try again. */
  const tried = { times: 0 };
  const live: Live = {
    start: () => undefined,
    stop: () => undefined,
    hold: (scope) => {
      held.push(scope);
      return () => undefined;
    },
    retryNow: () => {
      tried.times += 1;
    },
    renew: () => undefined,
    status: () => connection,
    scopeStatus: (scope) => statuses.get(scope) ?? scopeStatus,
    present: (scope, focus) => void shown.push({ scope, focus }),
    people: (scope) => people.get(scope) ?? nobody,
    authorOf: (placementId, member) => authors.of(placementId, member),
    subscribe: (listener) => {
      liveListeners.add(listener);
      return () => liveListeners.delete(listener);
    },
  };
  const api = apiClient({ tokens, fetch: fetchNow, now });
  const opening = withOutbox
    ? openedOutbox(httpTransport(api, me.id).send, {
        personId: me.id,
        store: entryStore,
        replica,
        refusal: certainRefusal,
        newId: newCommandId,
      })
    : null;
  render(
    <ApiProvider value={api}>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <SessionProvider tokens={tokens} storage={localStorage} now={now}>
          <Gate>
            <ReplicaProvider value={replica}>
              <LiveProvider value={live}>
                <Opened opening={opening}>
                  <MemoryRouter initialEntries={[address]}>{element}</MemoryRouter>
                </Opened>
              </LiveProvider>
            </ReplicaProvider>
          </Gate>
        </SessionProvider>
      </QueryClientProvider>
    </ApiProvider>,
  );
  /** The person's outbox; there is one where the stage has it. */
  const outbox = async (): Promise<Outbox> => {
    if (opening === null) throw new Error('a stage without an outbox');
    return opening;
  };
  return { user: userEvent.setup(), calls, held, bring, withdraw, shown, meet, answerScope, tried, outbox };
};
