import { randomInt, randomUUID } from 'node:crypto';
import type { PlacementWire } from '@zakup/contracts/entities';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { call, type Envelope, Refused, type Team, team } from '../support/api.ts';
import { type LiveClient, liveClient } from '../support/live-client.ts';
import { startZakup, temporaryDataDir, type ZakupProcess } from '../support/zakup-process.ts';

type Answer = Envelope<{ placement: PlacementWire }>;

/** What the client itself knows: written down before anything is sent, and when an answer arrived. */
interface Entry {
  readonly key: string;
  readonly method: 'POST' | 'PATCH';
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  acknowledged: Answer | null;
}

const kills = 20;
const writers = 6;
const nicks = ['@kitchen_ads', '@marina_pr', '@domovoy_ads', '@uyut_media'] as const;
/** Longest life of a process under load, in milliseconds; the moment is random. */
const longestLife = 700;
/** Commands begun in one life; all lives together stay within the 500 changes that a session may send again at once. */
const mostPerLife = 16;

describe('kill -9', () => {
  let folder: Awaited<ReturnType<typeof temporaryDataDir>>;
  let zakup: ZakupProcess;
  let watcher: LiveClient | undefined;

  beforeEach(async () => {
    folder = await temporaryDataDir();
    zakup = await startZakup({ dataDir: folder.path });
  });

  afterEach(async () => {
    watcher?.close();
    await zakup.kill();
    await folder.remove();
  });

  test(`KILL-1 ${kills} times while ${writers} writers write: nothing acknowledged is missing or doubled, totals equal rows, a watcher catches up by itself`, async () => {
    const port = Number(new URL(zakup.address).port);
    const crew = await team(zakup.address);
    const scope = `campaign:${crew.campaign.id}`;
    watcher = await liveClient(zakup.address, crew.buyers[1].token);
    await watcher.subscribe(scope);
    const journal: Entry[] = [];

    for (let round = 0; round < kills; round += 1) {
      const stopped = new AbortController();
      const writing = Array.from({ length: writers }, () => write(zakup.address, crew, journal, stopped.signal));
      const lived = randomInt(20, longestLife);
      await Promise.race([acknowledgedIn(journal, lived), ...writing]);
      await zakup.kill();
      stopped.abort();
      await Promise.all(writing);
      zakup = await startZakup({ dataDir: folder.path, port });
    }

    const sent = await Promise.all(journal.map((entry) => resend(zakup.address, crew, entry)));
    const promised = journal.flatMap((entry, index) =>
      entry.acknowledged === null ? [] : [[entry.acknowledged, sent[index]]],
    );
    for (const [acknowledged, repeated] of promised) expect(repeated).toEqual(acknowledged);
    const adds = journal.filter(({ method }) => method === 'POST');
    const position = Math.max(...sent.map((answer) => answer.position));
    const rows = await allPlacements(zakup.address, crew, position);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
    expect(rows.length).toBe(adds.length);

    await watcher.reached(scope, position);
    const byId = (list: readonly PlacementWire[]) => list.toSorted((a, b) => a.id.localeCompare(b.id));
    expect(byId(watcher.docs('placement'))).toEqual(byId(rows));
    const [analytics] = watcher.docs('analytics');
    expect(analytics?.summary).toMatchObject({
      totalPlacements: rows.length,
      spentBudget: total(rows, ({ price }) => price),
      totalLeads: total(rows, ({ leads }) => leads),
    });
    for (const contractor of watcher.docs('contractor')) {
      const own = rows.filter(({ contractorId }) => contractorId === contractor.id);
      expect(contractor).toMatchObject({
        totalPlacements: own.length,
        totalSpent: total(own, ({ price }) => price),
        totalLeads: total(own, ({ leads }) => leads),
      });
    }
    expect(watcher.docs('contractor')).toHaveLength(nicks.length);
    expect(journal.filter(({ acknowledged }) => acknowledged !== null).length).toBeGreaterThan(kills);
  });
});

/** Adds placements and changes their leads until the process is gone. */
const write = async (address: string, crew: Team, journal: Entry[], signal: AbortSignal): Promise<void> => {
  const [anna] = crew.buyers;
  while (!signal.aborted) {
    const add: Entry = {
      key: randomUUID(),
      method: 'POST',
      path: '/placements',
      body: {
        campaignId: crew.campaign.id,
        buyerId: anna.userId,
        category: 'Кулинария',
        contractor: nicks[randomInt(nicks.length)],
        price: randomInt(1, 1_000_000) / 100,
      },
      acknowledged: null,
    };
    const added = await send(address, crew, add, journal, signal);
    if (added === null) return;
    const change: Entry = {
      key: randomUUID(),
      method: 'PATCH',
      path: `/placements/${added.data.placement.id}`,
      body: { leads: randomInt(1, 200), baseRevision: added.revision },
      acknowledged: null,
    };
    if ((await send(address, crew, change, journal, signal)) === null) return;
  }
};

const send = async (
  address: string,
  crew: Team,
  entry: Entry,
  journal: Entry[],
  signal: AbortSignal,
): Promise<Answer | null> => {
  journal.push(entry);
  try {
    const options = { token: crew.buyers[0].token, key: entry.key, signal };
    entry.acknowledged = await call(address, entry.method, entry.path, entry.body, options);
    return entry.acknowledged;
  } catch (error) {
    if (error instanceof Refused) throw error;
    return null;
  }
};

const resend = (address: string, crew: Team, { key, method, path, body }: Entry): Promise<Answer> =>
  call(address, method, path, body, { token: crew.buyers[0].token, key });

/** Ends at a random number of acknowledgements, so that the kill follows the work and no clock. */
const acknowledgedIn = (journal: readonly Entry[], lived: number): Promise<void> => {
  const ends = performance.now() + lived;
  const wanted = journal.length + randomInt(1, mostPerLife);
  return new Promise((resolve) => {
    const look = (): void => {
      if (performance.now() >= ends || journal.length >= wanted) resolve();
      else setImmediate(look);
    };
    look();
  });
};

const allPlacements = async (address: string, crew: Team, after: number): Promise<readonly PlacementWire[]> => {
  const rows: PlacementWire[] = [];
  for (let page = 1; ; page += 1) {
    const path = `/campaigns/${crew.campaign.id}/placements?pageSize=500&page=${page}&after=${after}`;
    const { data } = await call<{ placements: PlacementWire[]; total: number }>(address, 'GET', path, undefined, {
      token: crew.owner.token,
    });
    rows.push(...data.placements);
    if (rows.length >= data.total || data.placements.length === 0) return rows;
  }
};

const total = (rows: readonly PlacementWire[], of: (row: PlacementWire) => number): number =>
  Math.round(rows.reduce((sum, row) => sum + of(row) * 100, 0)) / 100;
