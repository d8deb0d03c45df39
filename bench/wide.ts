import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { streamOf, valueHash } from '@zakup/command/pipeline/ids';
import { declaredFields } from '@zakup/contracts/read-models';
import type { AnyEvent } from '@zakup/domain/catalog';
import { kopecks } from '@zakup/domain/money';
import type { EventToAppend, StreamWrite } from '@zakup/event-store/event-store';
import { sqliteEventStore } from '@zakup/event-store/sqlite/sqlite-event-store';
import { runProjector } from '@zakup/projector/run-projector';
import { sqliteReadStore } from '@zakup/read-store/sqlite/sqlite-read-store';
import { openDatabase } from '@zakup/sqlite/engine';
import { report, type Slice } from './world/figure.ts';
import { seedLicence, systemEvent } from './world/seeded-licence.ts';

// Wide events: one that changes what 100,000 placements of one campaign with 2,000 contractors and 20 buyers come to, from its append
// until everything is committed, by a projector that has just started and by one that has gone on for a while; beside a bare
// transaction that writes the documents which the commit wrote into a bare table.

const placements = 100_000;
const contractors = 2_000;
const buyers = 20;
const perAppend = 500;
const slicesPerRow = 7;
const licenceId = '3fwide';
const campaignId = `${licenceId}campaign`;

const openStores = async (folder: string) => {
  const readModels = join(folder, 'read-models.db');
  return {
    readModels,
    eventStore: await sqliteEventStore({ file: join(folder, 'events.db') }),
    readStore: sqliteReadStore({ file: readModels, declared: declaredFields }),
  };
};
type Stores = Awaited<ReturnType<typeof openStores>>;

const startProjector = ({ eventStore, readStore }: Stores, more: { maxBatch?: number; maxDocs?: number } = {}) => {
  const { signal } = new AbortController();
  return runProjector({ eventStore, readStore, partition: 'all', fence: 1, signal, now: Date.now, ...more });
};
type Projector = ReturnType<typeof startProjector>;

const appendOne = async ({ eventStore }: Stores, stream: string, event: AnyEvent): Promise<number> => {
  const events = [systemEvent(licenceId, event)] as const;
  const result = await eventStore.append([{ stream, expectedRevision: 'any', events }]);
  if (result.kind !== 'appended') throw new Error(`The append was refused: ${result.kind}`);
  return result.position;
};

const fill = async (stores: Stores): Promise<void> => {
  const { eventStore } = stores;
  const { creativeId, buyers: people, nicks } = await seedLicence(eventStore, { licenceId, buyers, contractors });
  for (const id of people)
    await appendOne(stores, streamOf('employee', licenceId, id), {
      type: 'EmployeeTermsChanged',
      data: { salaryType: 'performance', salaryRate: 10, performanceThreshold: kopecks(10_000) },
    });
  const writeOf = (number: number): StreamWrite => {
    const added = systemEvent(licenceId, {
      type: 'PlacementAdded',
      data: {
        campaignId,
        buyerId: people[number % buyers] ?? '',
        contractorId: valueHash(nicks[(number * 7) % contractors] ?? '').slice(0, 24),
        creativeId,
        category: 'Юмор',
        format: '1/24',
        price: kopecks(100_000 + (number % 1000) * 100),
        date: `2026-0${1 + (number % 9)}-${String(1 + (number % 28)).padStart(2, '0')}`,
        paymentStatus: 'unpaid',
      },
    });
    const leads = systemEvent(licenceId, { type: 'PlacementLeadsRecorded', data: { leads: number % 50 } });
    const events: readonly [EventToAppend, ...EventToAppend[]] = number % 3 === 0 ? [added] : [added, leads];
    const stream = streamOf('placement', licenceId, randomUUID().replaceAll('-', '').slice(0, 24));
    return { stream, expectedRevision: 'no_stream', events };
  };
  for (let from = 0; from < placements; from += perAppend) {
    const [first, ...rest] = Array.from({ length: perAppend }, (_, index) => writeOf(from + index));
    if (first === undefined) throw new Error('There is nothing to append');
    await eventStore.append([first, ...rest]);
  }
  // In a few large commits: how fast it follows a log is another figure.
  const projector = startProjector(stores, { maxBatch: 10_000, maxDocs: 50_000 });
  await projector.waitFor(await eventStore.head());
  await projector.stop();
};

/** In a process of its own, whose memory says nothing about the events measured. */
const fillElsewhere = async (folder: string): Promise<void> => {
  const child = spawn(process.execPath, [import.meta.filename, 'fill', folder], { stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error('The licence was not filled');
};

interface StoredDocument {
  readonly kind: string;
  readonly id: string;
  readonly position: number;
  readonly data: string | null;
}

/** Milliseconds of one bare transaction that writes what was committed at a position. */
const bareWrites = (folder: string) => {
  const bare = openDatabase(join(folder, 'bare.db'));
  bare.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
  bare.exec('CREATE TABLE documents (kind TEXT, id TEXT, position INTEGER, data TEXT, PRIMARY KEY (kind, id)) STRICT');
  const put = bare.prepare('INSERT OR REPLACE INTO documents (kind, id, position, data) VALUES (?, ?, ?, ?)');
  return {
    time(documents: readonly StoredDocument[]): number {
      const contents = documents.map((doc) => ({
        ...doc,
        data: doc.data === null ? null : (JSON.parse(doc.data) as object),
      }));
      const began = performance.now();
      bare.exec('BEGIN IMMEDIATE');
      for (const { kind, id, position, data } of contents) put.run(kind, id, position, data && JSON.stringify(data));
      bare.exec('COMMIT');
      return performance.now() - began;
    },
    close: () => bare.close(),
  };
};

const measure = async (folder: string): Promise<void> => {
  const stores = await openStores(folder);
  const bare = bareWrites(folder);
  const reading = openDatabase(stores.readModels);
  const documentsAt = reading.prepare('SELECT kind, id, position, data FROM documents WHERE position = ?');
  let mostMemory = 0;
  const watching = setInterval(() => {
    mostMemory = Math.max(mostMemory, process.memoryUsage().rss);
  }, 20);

  let projector: Projector | null = null;
  let flips = 0;
  const wide = {
    delete: () => [streamOf('campaign', licenceId, campaignId), { type: 'CampaignDeleted', data: {} }],
    restore: () => [streamOf('campaign', licenceId, campaignId), { type: 'CampaignRestored', data: {} }],
    'zero leads': () => {
      flips += 1;
      const data = { countZeroLeads: flips % 2 === 0 };
      return [streamOf('licence', licenceId, licenceId), { type: 'LicenceSettingsChanged', data }];
    },
  } as const satisfies Record<string, () => readonly [string, AnyEvent]>;

  const slice = async (event: () => readonly [string, AnyEvent], fresh: boolean): Promise<Slice> => {
    if (fresh || projector === null) {
      await projector?.stop();
      projector = startProjector(stores);
      await projector.caughtUp;
    }
    const began = performance.now();
    const position = await appendOne(stores, ...event());
    await projector.waitFor(position);
    const ours = performance.now() - began;
    return { ours, beside: bare.time(documentsAt.all(position) as unknown as readonly StoredDocument[]) };
  };

  const rows = [];
  for (const state of ['cold', 'warm'] as const) {
    const slices: Record<keyof typeof wide, Slice[]> = { delete: [], restore: [], 'zero leads': [] };
    for (let round = 0; round < slicesPerRow; round += 1)
      for (const name of ['delete', 'restore', 'zero leads'] as const)
        slices[name].push(await slice(wide[name], state === 'cold'));
    for (const name of ['delete', 'restore', 'zero leads'] as const)
      rows.push({ row: `W ${name} ${state}`, kind: 'time', unit: 'ms', slices: slices[name] } as const);
  }
  clearInterval(watching);
  report(rows, { placements, contractors, buyers, mostMemoryMb: Math.round(mostMemory / 2 ** 20) });
  await (projector as Projector | null)?.stop();
  reading.close();
  bare.close();
  await stores.readStore.close();
  await stores.eventStore.close();
};

const [, , order, given] = process.argv;
if (order === 'fill' && given !== undefined) {
  const stores = await openStores(given);
  await fill(stores);
  await stores.readStore.close();
  await stores.eventStore.close();
} else {
  const folder = mkdtempSync(join(tmpdir(), 'zakup-bench-'));
  try {
    await fillElsewhere(folder);
    await measure(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
