import type { ClientToServer, ServerToClient } from '@zakup/contracts/socket';
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { io, type Socket } from 'socket.io-client';
import type { ApiClient } from '../api/api-client.ts';
import { useApi } from '../api/api-context.tsx';
import { newCommandId } from '../api/new-command-id.ts';
import { ApiProblem } from '../api/api-problem.ts';
import { broadcastTabs, lockElection } from '../outbox/browser-tabs.ts';
import { entryStoreFor } from '../outbox/entry-store.ts';
import { openOutbox, type Outbox } from '../outbox/outbox.ts';
import { OutboxProvider } from '../outbox/outbox-context.tsx';
import { boxName } from '../outbox/stored-unsent.ts';
import { httpTransport } from '../outbox/transport.ts';
import { certainRefusal } from '../predictions/certain-refusal.ts';
import { memoryReplica, type Replica } from '../replica/replica.ts';
import { ReplicaProvider } from '../replica/replica-context.tsx';
import { useSession } from '../session/session-context.tsx';
import { paintTurns } from './before-paint.ts';
import { type Live, type LiveSocket, liveConnection } from './live.ts';
import { LiveProvider } from './live-context.tsx';
import { LiveStatus } from './live-status.tsx';
import { watchOwnRights } from './own-rights.ts';
import { UnsentGuard } from './unsent-guard.tsx';

interface Data {
  readonly replica: Replica;
  readonly live: Live;
  readonly outbox: Outbox;
}

const clock = {
  now: () => Date.now(),
  setTimeout: (run: () => void, ms: number) => window.setTimeout(run, ms),
  clearTimeout: (handle: unknown) => window.clearTimeout(handle as number),
};

const browserSocket = (auth: (answer: (data: object) => void) => void): LiveSocket => {
  const socket: Socket<ServerToClient, ClientToServer> = io({
    autoConnect: false,
    auth,
    transports: ['websocket', 'polling'],
    tryAllTransports: true,
    // The live connection tries again itself, so that it can say when.
    reconnection: false,
  });
  return socket;
};

const isSignedOut = (thrown: unknown): boolean => thrown instanceof ApiProblem && thrown.code === 'UNAUTHENTICATED';

const openData = async (
  api: ApiClient,
  licenceId: string,
  personId: string,
  onRightsChanged: () => void,
): Promise<Data> => {
  const box = boxName({ licenceId, personId });
  const replica = memoryReplica();
  const renew = async (): Promise<void> => {
    try {
      await api.renew();
    } catch (thrown) {
      // Nobody answered: that says nothing about the session, so the line is tried again later.
      if (isSignedOut(thrown)) throw thrown;
    }
  };
  const live = liveConnection({
    replica,
    socket: browserSocket,
    token: async () => (await api.freshToken()) ?? '',
    refreshToken: renew,
    onSessionEnded: async (code, message) => {
      if (code === 'LICENSE_INACTIVE') {
        api.lose(message);
        throw new Error(message);
      }
      await renew();
      onRightsChanged();
    },
    onMisfit: (scope, position) => console.error(`A patch of ${scope} at ${position} did not fit; it is loaded anew`),
    clock,
    chance: Math.random,
    beforePaint: paintTurns(),
  });
  const outbox = await openOutbox({
    personId,
    store: await entryStoreFor(box),
    transport: httpTransport(api, personId),
    replica,
    refusal: certainRefusal,
    newId: newCommandId,
    clock,
    chance: Math.random,
    tabs: broadcastTabs(box),
    election: lockElection(box),
  });
  return { replica, live, outbox };
};

/**
 * Replica, live channel and outbox of the signed-in person; below the signed-in layout. Fills the places `banner` and
 * `status-right` of the frame, asks before signing out with unsent changes.
 */
export const DataProvider = ({ children }: { readonly children: ReactNode }) => {
  const api = useApi();
  const { person, refresh } = useSession();
  const { licenseId: licenceId, id: personId } = person;
  const [data, setData] = useState<Data | null>(null);
  // A session that is read anew must not tear the line down.
  const readSession = useEffectEvent(refresh);

  useEffect(() => {
    let over = false;
    let opened: Data | null = null;
    const stopToken = api.onToken((token) => {
      opened?.live.renew(token);
      opened?.outbox.flush();
    });
    const flush = (): void => opened?.outbox.flush();
    window.addEventListener('online', flush);
    const begin = async (): Promise<void> => {
      const ready = await openData(api, licenceId, personId, () => readSession());
      if (over) {
        ready.outbox.close();
        return;
      }
      opened = ready;
      ready.live.start();
      // Every screen needs the lists.
      ready.live.hold('workspace');
      setData(ready);
    };
    begin().catch((thrown: unknown) => {
      // Thrown while painting, so that the error page takes it.
      setData(() => {
        throw thrown;
      });
    });
    return () => {
      over = true;
      stopToken();
      window.removeEventListener('online', flush);
      opened?.live.stop();
      opened?.outbox.close();
      setData(null);
    };
  }, [api, licenceId, personId]);

  // What is open, and what is offered, follows rights that were given or taken meanwhile.
  useEffect(() => (data ? watchOwnRights(data.replica, personId, () => readSession()) : undefined), [data, personId]);

  // A line that came back is the best moment to send what waited.
  useEffect(() => {
    if (!data) return undefined;
    let before = data.live.status().state;
    return data.live.subscribe(() => {
      const { state } = data.live.status();
      if (state !== before && before === 'offline') data.outbox.flush();
      before = state;
    });
  }, [data]);

  if (!data) return null;
  return (
    <ReplicaProvider value={data.replica}>
      <LiveProvider value={data.live}>
        <OutboxProvider value={data.outbox}>
          <LiveStatus />
          <UnsentGuard />
          {children}
        </OutboxProvider>
      </LiveProvider>
    </ReplicaProvider>
  );
};
