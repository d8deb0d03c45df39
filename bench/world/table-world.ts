import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CampaignWire, CreativeWire } from '@zakup/contracts/wire-entities';
import { declaredFields } from '@zakup/contracts/read-models';
import { sqliteEventStore } from '@zakup/event-store/sqlite/sqlite-event-store';
import { runProjector } from '@zakup/projector/run-projector';
import { sqliteReadStore } from '@zakup/read-store/sqlite/sqlite-read-store';
import { listening } from '@zakup/service-kit/listening';
import { givenCampaign, givenTeam, type Member, signIn, type Team } from '../../tests/e2e/support/team.ts';
import type { Done, Wanted } from '../load/table-load.ts';
import { type CampaignToFill, fillCampaign, rowCount, tableRows } from './full-table.ts';

const programOf = (name: string): string => fileURLToPath(new URL(`./${name}.js`, import.meta.url));
const pages = fileURLToPath(new URL('../page', import.meta.url));

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
};

/** Whether a page has all rows of the full table: the first ones stand before, under a line that says how far the others are. */
export const isWhole = `Number(document.querySelector('[role="grid"]')?.getAttribute('aria-rowcount') ?? 0) > ${rowCount} && document.querySelector('.z-load-line, .z-load-bar') === null`;

/** Source of a script of `bench/page`. */
export const pageScript = (name: string): Promise<string> => readFile(join(pages, name), 'utf8');

const startServer = async (dataDir: string): Promise<{ address: string; stop(): Promise<void> }> => {
  const child = fork(programOf('table-server'), [dataDir], { execArgv: [] });
  const ended = once(child, 'exit');
  const first = await Promise.race([
    once(child, 'message') as Promise<[{ address: string }]>,
    ended.then(([code]) => Promise.reject(new Error(`The server ended with ${code} before it was ready`))),
  ]);
  return {
    address: first[0].address,
    async stop() {
      child.disconnect();
      await ended;
    },
  };
};

/** Rows and read models at once, in a few large commits: how fast a log is followed is another figure. */
const fill = async (dataDir: string, campaign: CampaignToFill): Promise<void> => {
  const eventStore = await sqliteEventStore({ file: join(dataDir, 'events.db') });
  const readStore = sqliteReadStore({ file: join(dataDir, 'read-models.db'), declared: declaredFields });
  await fillCampaign(eventStore, campaign);
  const { signal } = new AbortController();
  const limits = { maxBatch: 10_000, maxDocs: 50_000 };
  const fence = ((await readStore.checkpoint('all'))?.fence ?? 0) + 1;
  const projector = runProjector({ eventStore, readStore, partition: 'all', fence, signal, now: Date.now, ...limits });
  await projector.waitFor(await eventStore.head());
  await projector.stop();
  await readStore.close();
  await eventStore.close();
};

const made = async (team: Team) => {
  const { campaign, creatives } = await givenCampaign(team);
  const empty = await team.done<{ campaign: CampaignWire }>('POST', '/campaigns/create-safe', {
    name: 'Декабрь | Подписчики',
    channelId: campaign.channelId,
    totalBudget: 420_000,
    status: 'ACTIVE',
    participants: [],
  });
  const full = await team.done<{ campaign: CampaignWire }>('POST', '/campaigns/create-safe', {
    name: 'Год | Подписчики',
    channelId: campaign.channelId,
    totalBudget: 42_000_000,
    status: 'ACTIVE',
    participants: [],
  });
  const creative: CreativeWire = creatives.recipe;
  return {
    emptyId: empty.campaign.id,
    full: {
      licenceId: team.licence.id,
      campaignId: full.campaign.id,
      creativeId: creative.id,
      creativeName: creative.name,
    },
  };
};

const servePages = async (rows: string): Promise<{ readonly server: Server; readonly address: string }> => {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname === '/rows.json') {
      response.setHeader('Content-Type', 'application/json').end(rows);
      return;
    }
    const name = pathname === '/' ? 'absolute-list.html' : pathname.slice(1);
    pageScript(name).then(
      (text) => response.setHeader('Content-Type', types[extname(name)] ?? 'text/plain').end(text),
      () => response.writeHead(404).end(),
    );
  });
  return { server, address: await listening(server, { port: 0, host: '127.0.0.1' }) };
};

/** What the browser of somebody who signed in keeps; the table shows all rows in one list, and the cards of the buyers are folded away. */
const storageOf = async (address: string, person: Member) => {
  const { token, refreshToken } = await signIn(address, person);
  const items = {
    authToken: token,
    refreshToken,
    'tg-analytics-session': JSON.stringify({ userId: person.id, timestamp: Date.now(), lifetimeMinutes: 1440 }),
    employeeAnalyticsExpanded: 'false',
    placementsTable: JSON.stringify({ pagination: { page: 1, pageSize: 'all', campaignId: '' } }),
  };
  const localStorage = Object.entries(items).map(([name, value]) => ({ name, value }));
  return { cookies: [], origins: [{ origin: address, localStorage }] };
};

const loadOf = (child: ChildProcess) => {
  child.on('exit', (code) => {
    if (code !== 0 && code !== null) throw new Error('The load process failed');
  });
  return async <Kind extends Done['kind']>(wanted: Wanted, kind: Kind): Promise<Extract<Done, { kind: Kind }>> => {
    child.send(wanted);
    const [done] = (await once(child, 'message')) as [Done];
    if (done.kind !== kind) throw new Error(`The load process answered ${done.kind}`);
    return done as Extract<Done, { kind: Kind }>;
  };
};

/** A data folder with a campaign of 100,000 placements and one without any, and who may sign in. */
export interface FilledFolder {
  readonly folder: string;
  readonly emptyId: string;
  readonly full: CampaignToFill;
  readonly owner: Member;
  readonly buyers: readonly Member[];
}

/** The team comes through the ordinary calls, the placements through the log. */
export const filledFolder = async (): Promise<FilledFolder> => {
  const folder = mkdtempSync(join(tmpdir(), 'zakup-bench-'));
  const server = await startServer(folder);
  const team = await givenTeam(server.address, ['anna', 'ilya']);
  const campaigns = await made(team);
  await server.stop();
  await fill(folder, campaigns.full);
  return { folder, ...campaigns, owner: team.member('owner'), buyers: [team.member('anna'), team.member('ilya')] };
};

/**
 * On such a folder a server in a process of its own, with the built web app, a process that changes the campaign, and the page of the
 * yardstick's list.
 */
export const tableWorld = async ({ folder, emptyId, full, owner, buyers }: FilledFolder) => {
  const server = await startServer(folder);
  const { address } = server;
  const child = fork(programOf('table-load'), { execArgv: [] });
  const ask = loadOf(child);
  const tokens = await Promise.all(buyers.map(async (buyer) => (await signIn(address, buyer)).token));
  const { feedPort } = await ask({ kind: 'begin', port: Number(new URL(address).port), tokens }, 'begun');
  const list = await servePages(JSON.stringify(tableRows(full)));

  return {
    /** Of the dashboard with the campaign of 100,000 placements, or with the empty one. */
    pageOf: (table: 'full' | 'empty'): string =>
      `${address}/dashboard?campaign=${table === 'full' ? full.campaignId : emptyId}`,
    /** Of the list written by hand, as large as the table. */
    listPage: ({ width, height }: { readonly width: number; readonly height: number }): string =>
      `${list.address}/?feed=${feedPort}&width=${width}&height=${height}`,
    /** Somebody who may change every row has just signed in. */
    storage: () => storageOf(address, owner),
    /** From now on prices change, so many a second. */
    begin: (perSecond: number) => ask({ kind: 'flow', perSecond }, 'flowing'),
    /** Resolves with how many changes a second there were. */
    end: async (): Promise<number> => (await ask({ kind: 'end' }, 'ended')).rate,
    async close() {
      child.disconnect();
      list.server.close();
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
