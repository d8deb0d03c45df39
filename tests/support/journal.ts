import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { PlacementWire } from '@zakup/contracts/wire-entities';
import { expect } from 'vitest';
import { call, type Envelope, Refused, type Team } from './api.ts';
import { type LiveClient, liveClient } from './live-client.ts';
import type { Chance } from './seeded.ts';

type Answer = Envelope<{ placement: PlacementWire }>;

/** What the client itself knows: written down before anything is sent, and when an answer arrived. */
export interface Entry {
  readonly key: string;
  readonly method: 'POST' | 'PATCH';
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  acknowledged: Answer | null;
  /** Refusals for want of a server, with the milliseconds until each. */
  readonly unavailable: { readonly after: number; readonly retryAfter: string | null }[];
}

export const nicks = ['@kitchen_ads', '@marina_pr', '@domovoy_ads', '@uyut_media'] as const;

export interface WritingOptions {
  readonly address: string;
  readonly crew: Team;
  readonly chance: Chance;
  /** Ends it; what is under way stays unacknowledged. */
  readonly signal: AbortSignal;
  /** Entries that may be begun; each writer takes them in turn. */
  readonly allowance: { left: number };
}

/** Says that an entry was begun in some journal: who waits for one must not take the processor from what it waits for. */
const begun = new EventEmitter<{ begun: [] }>();

/** Milliseconds after which a client sends again. */
const patience = 50;

/** What a client waits for before it sends again: its own patience, less when it is told to stop. */
const aWhile = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, patience);
    signal.addEventListener('abort', end);
  });

/** Sends an entry under its key until it is acknowledged; null when it was told to stop before. */
const delivered = async (
  { address, crew, signal }: WritingOptions,
  entry: Entry,
  journal: Entry[],
): Promise<Answer | null> => {
  journal.push(entry);
  begun.emit('begun');
  while (!signal.aborted) {
    const began = performance.now();
    try {
      const options = { token: crew.buyers[0].token, key: entry.key, signal };
      entry.acknowledged = await call<{ placement: PlacementWire }>(
        address,
        entry.method,
        entry.path,
        entry.body,
        options,
      );
      return entry.acknowledged;
    } catch (error) {
      if (error instanceof Refused) {
        if (error.problem.code !== 'UNAVAILABLE') throw error;
        entry.unavailable.push({ after: performance.now() - began, retryAfter: error.retryAfter });
      }
    }
    await aWhile(signal);
  }
  return null;
};

/** Adds placements and changes their leads, as an outbox does: again under the same key, until it is acknowledged or told to stop. */
export const write = async (options: WritingOptions, journal: Entry[]): Promise<void> => {
  const { crew, chance, signal, allowance } = options;
  const [anna] = crew.buyers;
  const taken = (): boolean => {
    if (signal.aborted || allowance.left <= 0) return false;
    allowance.left -= 1;
    return true;
  };
  while (taken()) {
    const add: Entry = {
      key: randomUUID(),
      method: 'POST',
      path: '/placements',
      body: {
        campaignId: crew.campaign.id,
        buyerId: anna.userId,
        category: 'Кулинария',
        contractor: chance.oneOf(nicks),
        price: chance.between(1, 1_000_000) / 100,
      },
      acknowledged: null,
      unavailable: [],
    };
    const added = await delivered(options, add, journal);
    if (added === null || !taken()) return;
    const change: Entry = {
      key: randomUUID(),
      method: 'PATCH',
      path: `/placements/${added.data.placement.id}`,
      body: { leads: chance.between(1, 200), baseRevision: added.revision },
      acknowledged: null,
      unavailable: [],
    };
    if ((await delivered(options, change, journal)) === null) return;
  }
};

const atOnce = 16;

const resent = async (address: string, crew: Team, journal: readonly Entry[]): Promise<readonly Answer[]> => {
  const answers: Answer[] = [];
  for (let from = 0; from < journal.length; from += atOnce) {
    const part = journal.slice(from, from + atOnce);
    answers.push(
      ...(await Promise.all(
        part.map(({ key, method, path, body }) =>
          call<{ placement: PlacementWire }>(address, method, path, body, { token: crew.buyers[0].token, key }),
        ),
      )),
    );
  }
  return answers;
};

export const allPlacements = async (address: string, crew: Team, after: number): Promise<readonly PlacementWire[]> => {
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
const byId = <Doc extends { readonly id: string }>(docs: readonly Doc[]): Doc[] =>
  docs.toSorted((a, b) => a.id.localeCompare(b.id));

/**
 * The judge: the client's journal against what is there. Everything is sent once more under its key: what was acknowledged answers the
 * same, nothing is doubled, totals equal rows, every watcher holds what a fresh load holds. Answers with the last position.
 */
export const judge = async (
  address: string,
  crew: Team,
  journal: readonly Entry[],
  watchers: readonly LiveClient[],
): Promise<number> => {
  const scope = `campaign:${crew.campaign.id}`;
  const sent = await resent(address, crew, journal);
  for (const [index, { acknowledged }] of journal.entries())
    if (acknowledged !== null) expect(sent[index]).toEqual(acknowledged);
  const position = Math.max(...sent.map((answer) => answer.position));
  const rows = await allPlacements(address, crew, position);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  expect(rows.length).toBe(journal.filter(({ method }) => method === 'POST').length);
  const changed = new Map(journal.filter(({ method }) => method === 'PATCH').map(({ path, body }) => [path, body]));
  for (const row of rows) expect(row.leads).toBe(changed.get(`/placements/${row.id}`)?.['leads'] ?? 0);

  const fresh = await liveClient(address, crew.owner.token);
  await fresh.subscribe(scope);
  for (const watcher of [fresh, ...watchers]) {
    await watcher.reached(scope, position);
    expect(byId(watcher.docs('placement'))).toEqual(byId(rows));
    expect(byId(watcher.docs('contractor'))).toEqual(byId(fresh.docs('contractor')));
    expect(watcher.docs('analytics')).toEqual(fresh.docs('analytics'));
  }
  const [analytics] = fresh.docs('analytics');
  expect(analytics?.summary).toMatchObject({
    totalPlacements: rows.length,
    spentBudget: total(rows, ({ price }) => price),
    totalLeads: total(rows, ({ leads }) => leads),
  });
  for (const contractor of fresh.docs('contractor')) {
    const own = rows.filter(({ contractorId }) => contractorId === contractor.id);
    expect(contractor).toMatchObject({
      totalPlacements: own.length,
      totalSpent: total(own, ({ price }) => price),
      totalLeads: total(own, ({ leads }) => leads),
    });
  }
  const placed = new Set(journal.flatMap(({ body }) => body['contractor'] ?? []));
  expect(new Set(fresh.docs('contractor').map(({ adminUsername }) => adminUsername))).toEqual(placed);
  fresh.close();
  return position;
};

/** Resolves when so many entries were begun, or the signal ends the wait. */
export const begunIn = (journal: readonly Entry[], count: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const look = (): void => {
      if (journal.length < count && !signal.aborted) return;
      begun.off('begun', look);
      signal.removeEventListener('abort', look);
      // Once this turn is over, and with it what the writer does in it to send the entry.
      setImmediate(resolve);
    };
    begun.on('begun', look);
    signal.addEventListener('abort', look);
    look();
  });
