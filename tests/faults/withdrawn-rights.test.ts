import { randomBytes } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Agent, get, type IncomingMessage } from 'node:http';
import { createConnection, type Socket } from 'node:net';
import { historyId } from '@zakup/contracts/history';
import type { EmployeeRow } from '@zakup/contracts/read-models';
import { sampleEvent } from '@zakup/event-store/contract-suite';
import { inMemoryEventStore } from '@zakup/event-store/in-memory';
import { jsonLog } from '@zakup/service-kit/log';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { campaignRow, type Draft, docOf, licenceRow, placementRow, userRow } from '@zakup/gateway/testing/rows';
import { licenceId, startWorld, type World } from '@zakup/gateway/testing/world';
import { scheduledTime } from '@zakup/service-kit/testing/scheduled-time';

const doc = docOf(licenceId);
/** Of a size that no buffers on the way take, and that no compression makes small. */
const pieces = 9_000;
const noise = (): string => randomBytes(750).toString('base64');
const agent = new Agent({ keepAlive: false });

const history =
  (position: number): Draft =>
  () => ({
    kind: 'history',
    id: historyId(position),
    licenceId,
    scopes: [],
    left: [],
    position,
    deleted: false,
    data: {
      revision: position - 1,
      at: '2026-03-01T10:00:00.123Z',
      actorId: 'owner',
      commandId: 'c',
      source: 'screen',
      event: 'CampaignRenamed',
      entity: 'campaign:campaign',
      campaignId: 'campaign',
      changes: [],
    },
  });

/** Resolves, by the client's port, when the server has closed its end: what a slow client still has in its buffers is no matter of the server. */
const closedByServer = new Map<number | undefined, Promise<void>>();
const accepted = (message: unknown): void => {
  const { socket } = message as { readonly socket: Socket };
  closedByServer.set(socket.remotePort, new Promise((resolve) => socket.once('close', () => resolve())));
};

interface Download {
  /** Resolves when nothing more comes. */
  readonly over: Promise<void>;
  /** Resolves when the server has cut it, or sent all of it. */
  readonly cut: Promise<void>;
  readonly response: IncomingMessage;
  bytes: number;
  isSlow: boolean;
}

describe('downloads of somebody who may not have them any more', () => {
  let world: World;
  let said = '';
  const eventStore = inMemoryEventStore({ clock: () => 0 });
  const reader: Partial<EmployeeRow> = { role: 'TEAM_LEAD', permissions: null, isOwner: false, isActive: true };
  const owner = userRow({ id: 'owner', role: 'CEO', isOwner: true, name: 'Owner' });
  const withReader = (of: Partial<EmployeeRow>) => doc.user(userRow({ id: 'reader', ...reader, ...of }));

  beforeAll(async () => {
    subscribe('net.server.socket', accepted);
    const created = sampleEvent(licenceId, 'CampaignCreated', {
      name: 'Весна',
      channelId: 'channel',
      totalBudget: 0,
      status: 'ACTIVE',
      startDate: null,
      endDate: null,
      participants: [],
    });
    for (let from = 0; from < pieces; from += 1_000) {
      const event = () => sampleEvent(licenceId, 'CampaignRenamed', { name: noise() });
      const events = [from === 0 ? created : event(), ...Array.from({ length: 999 }, event)] as const;
      await eventStore.append([{ stream: `campaign-${licenceId}~campaign`, expectedRevision: 'any', events }]);
    }
    const destination = {
      write: (line: string) => {
        said += line;
      },
    };
    world = await startWorld({ deps: { eventStore, log: jsonLog({ level: 'warn', destination }) } });
    const head = await eventStore.head();
    await world.commitAt(head + 1, [
      doc.campaign(campaignRow({ id: 'campaign' })),
      ...Array.from({ length: pieces }, (_, index) =>
        doc.placement(placementRow({ id: `p${index}`, campaignId: 'campaign', category: noise() })),
      ),
      ...Array.from({ length: pieces }, (_, index) => history(index + 1)),
    ]);
  });
  // The first spreadsheet of a process brings its library, which is not what is measured.
  beforeAll(async () => {
    await world.commit(doc.license(licenceRow({ id: licenceId })), doc.user(owner), withReader({}));
    const { token } = await world.signIn('reader');
    const { response, over } = await taken('/campaigns/campaign/export?format=xlsx', token);
    await new Promise((resolve) => response.once('data', resolve));
    response.destroy();
    await over;
  });
  afterAll(async () => {
    unsubscribe('net.server.socket', accepted);
    await world.stop();
  });
  beforeEach(async () => {
    await world.commit(doc.license(licenceRow({ id: licenceId })), doc.user(owner), withReader({}));
    said = '';
  });

  /** Takes a file slowly. */
  const taken = (path: string, token: string): Promise<Download> =>
    new Promise((resolve, reject) => {
      const headers = { Authorization: `Bearer ${token}` };
      const request = get(`${world.address}/api${path}`, { agent, headers }, (response) => {
        let ended = (): void => undefined;
        const over = new Promise<void>((done) => {
          ended = done;
        });
        if (response.statusCode !== 200) return reject(new Error(`${path} was answered ${response.statusCode}`));
        const cut = closedByServer.get(response.socket.localPort);
        if (cut === undefined) return reject(new Error('Not a line of this server'));
        const download: Download = { over, cut, response, bytes: 0, isSlow: true };
        response
          .on('data', (chunk: Buffer) => {
            download.bytes += chunk.length;
            if (!download.isSlow) return;
            response.pause();
            setTimeout(() => response.resume(), 10);
          })
          .once('error', () => undefined)
          .once('close', () => ended());
        resolve(download);
      });
      request.once('error', reject);
    });

  const files: readonly (readonly [path: string, userId: string])[] = [
    ['/campaigns/campaign/export?format=csv', 'reader'],
    ['/campaigns/campaign/export?format=xlsx', 'reader'],
    ['/license/export', 'owner'],
    ['/campaigns/campaign/events', 'reader'],
    ['/license/history-bundle', 'reader'],
  ];
  type Way = (userId: string, sessionId: string) => Promise<unknown>;
  const ways: Readonly<Record<string, Way>> = {
    'the session is ended': (_, sessionId) => world.credentials.endSession(sessionId, 'revoked'),
    'the person is switched off': (userId) =>
      world.commit(userId === 'owner' ? doc.user({ ...owner, isActive: false }) : withReader({ isActive: false })),
    'the right is taken': (userId) =>
      world.commit(
        userId === 'owner'
          ? doc.user({ ...owner, isOwner: false })
          : withReader({ permissions: { capabilities: true } }),
      ),
  };
  const licenceWays: Readonly<Record<string, Way>> = {
    'the licence is suspended': () =>
      world.commit(
        doc.license(licenceRow({ id: licenceId, suspended: { reason: 'долг', at: '2026-01-02T00:00:00.000Z' } })),
      ),
    'the licence is closed': () =>
      world.commit(
        doc.license(
          licenceRow({
            id: licenceId,
            closing: {
              revision: 1,
              requestedAt: '2026-01-02T00:00:00.000Z',
              closesAt: '2026-01-09T00:00:00.000Z',
              reason: '',
              noticed: [],
              closed: false,
            },
          }),
        ),
      ),
  };

  // The owner goes on reading under a suspended and a closed licence.
  for (const [path, userId] of files)
    for (const [way, happens] of Object.entries({ ...ways, ...(userId === 'owner' ? {} : licenceWays) }))
      test(`RSL-1 ${path} is cut within a second when ${way}`, async () => {
        const { token, sessionId } = await world.signIn(userId);
        const download = await taken(path, token);
        await new Promise((resolve) => download.response.once('data', resolve));
        const began = scheduledTime();
        await happens(userId, sessionId);
        await download.cut;
        expect(began.stop()).toBeLessThan(1_000);
        await download.over;
        expect([download.response.complete, download.response.aborted]).toEqual([false, true]);
        expect(said).toBe('');
      });

  test('RSL-2 what shows less of others from now on is cut, too', async () => {
    const { token } = await world.signIn('reader');
    const download = await taken('/campaigns/campaign/events', token);
    await new Promise((resolve) => download.response.once('data', resolve));
    const began = scheduledTime();
    await world.commit(withReader({ permissions: { dashboard: true, reports: true } }));
    await download.cut;
    expect(began.stop()).toBeLessThan(1_000);
    await download.over;
    expect(download.response.complete).toBe(false);
  });

  test('RSL-3 a change that takes nothing away lets every file come to its end', async () => {
    // One after another: of many at once of one licence those that wait for long are refused.
    for (const [path, userId] of files) {
      const { token } = await world.signIn(userId);
      const download = await taken(path, token);
      await new Promise((resolve) => download.response.once('data', resolve));
      await world.commit(doc.license(licenceRow({ id: licenceId, teamName: 'Другое имя' })));
      download.isSlow = false;
      await download.over;
      expect([path, download.response.complete]).toEqual([path, true]);
      expect(download.bytes).toBeGreaterThan(5_000_000);
    }
  });

  test('RSL-4 one who is told no length, as by HTTP/1.0, gets an error and no end', async () => {
    const { token, sessionId } = await world.signIn('reader');
    const { hostname, port } = new URL(world.address);
    const socket = createConnection({ host: hostname, port: Number(port), allowHalfOpen: true });
    const over = new Promise<string>((resolve) => {
      // Node tells a reset as an end when it comes with the last bytes; only a connection that was ended in order takes a byte after it.
      socket
        .once('end', () => socket.write('?', (error) => resolve(error ? 'an error' : 'an end')))
        .once('error', () => resolve('an error'));
    });
    const begun = new Promise<void>((resolve) => {
      socket.on('data', () => {
        socket.pause();
        setTimeout(() => socket.resume(), 20);
        resolve();
      });
    });
    socket.write(`GET /api/campaigns/campaign/events HTTP/1.0\r\nAuthorization: Bearer ${token}\r\n\r\n`);
    await begun;
    await world.credentials.endSession(sessionId, 'revoked');
    expect(await over).toBe('an error');
    socket.destroy();
  });

  test('RSL-5 one who lost the right while the file was prepared is refused in words', async () => {
    const { token, sessionId } = await world.signIn('reader');
    const readEach = world.readStore.readEach.bind(world.readStore);
    world.readStore.readEach = async (...asked) => {
      await readEach(...asked);
      await world.credentials.endSession(sessionId, 'revoked');
    };
    const { status, body } = await world.get('/campaigns/campaign/export?format=csv', token);
    world.readStore.readEach = readEach;
    expect([status, body.code]).toEqual([401, 'UNAUTHENTICATED']);
  });
});
