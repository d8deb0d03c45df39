import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { wireLines } from '@zakup/contracts/to-wire';
import { sqliteEventStore } from '@zakup/event-store/sqlite/sqlite-event-store';
import { earningsByLine } from '@zakup/gateway/reports/earnings-by-line';
import { snapshotCache } from '@zakup/gateway/time-travel/snapshot-cache';
import { report, type Slice } from './world/figure.ts';
import { fillLog } from './world/long-log.ts';
import { quantile } from './world/statistics.ts';

// P12: a campaign's table and report as they were at a random moment of a licence with 100,000 events, beside the same of an early moment
// that is asked for again: what reading the documents of a moment costs when it has not to be folded. Cold: the first moment of all.

const events = 100_000;
const mostSeconds = 150;
const slices = 5;
const momentsPerSlice = 40;

const folder = mkdtempSync(join(tmpdir(), 'zakup-bench-'));
const never = new AbortController().signal;

try {
  const eventStore = await sqliteEventStore({ file: join(folder, 'events.db') });
  const [licence] = await fillLog(eventStore, events, mostSeconds, 1);
  if (licence === undefined) throw new Error('No licence');
  const { licenceId, campaignId } = licence;
  const head = await eventStore.head();
  const first = (await eventStore.readLicence(licenceId, { limit: 100 })).at(-1)?.position ?? 0;
  const pasts = snapshotCache({ eventStore });

  const campaignAt = async (position: number): Promise<number> => {
    const began = performance.now();
    const past = await pasts.at(licenceId, { by: 'position', position }, never);
    if (past.kind !== 'found') throw new Error(`No moment at ${position}: ${past.kind}`);
    const where = { campaignId };
    const sort = [{ field: 'date', direction: 'asc' }] as const;
    await past.documents.get('analytics', campaignId);
    await earningsByLine(past.documents, { licenceId, campaignId }, wireLines);
    await past.documents.query('placement', { licenceId, where, sort, limit: 50 });
    return performance.now() - began;
  };
  const p95 = async (positionOf: () => number): Promise<number> => {
    const times: number[] = [];
    for (let count = 0; count < momentsPerSlice; count += 1) times.push(await campaignAt(positionOf()));
    return quantile(times, 0.95);
  };

  const cold = await campaignAt(head);
  const measured: Slice[] = [];
  for (let slice = 0; slice < slices; slice += 1) {
    const ours = await p95(() => first + Math.floor(Math.random() * (head - first)));
    measured.push({ ours, beside: await p95(() => first) });
  }
  const coldSlices = Array.from({ length: slices }, () => ({ ours: cold, beside: cold }));
  report(
    [
      { row: 'P12', kind: 'time', unit: 'ms', slices: measured },
      { row: 'P12 cold', kind: 'time', unit: 'ms', slices: coldSlices },
    ],
    { events: head, documents: Math.round(pasts.weight()) },
  );
  await eventStore.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
