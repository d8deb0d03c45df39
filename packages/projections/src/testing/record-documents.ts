/**
 * `npx tsx packages/projections/src/testing/record-documents.ts`: records what the projections make of the recorded logs, after the
 * version of one of them was raised. With `log` another log is recorded first, made of random commands so that each type of event is in one of them: for
 * a new event. Logs that are there are never written again.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { catalog } from '@zakup/domain/catalog';
import { projectionVersion } from '../version.ts';
import { randomLife } from './random-life.ts';
import {
  changedUnderOneVersion,
  documentHashes,
  documentsFile,
  recordedLogs,
  type RecordedDocuments,
  versionsOf,
  writers,
} from './recorded-logs.ts';

const folder = new URL('recorded/', import.meta.url);

const recordLogs = async (): Promise<void> => {
  const missing = new Set(Object.keys(catalog));
  for (const log of await recordedLogs()) for (const { type } of log) missing.delete(type);
  for (let seed = 0; missing.size > 0 && seed < 1_000; seed += 1) {
    const { events } = await randomLife(seed, 150);
    if (!events.some(({ type }) => missing.has(type))) continue;
    for (const { type } of events) missing.delete(type);
    const number = (await readdir(folder)).filter((name) => name.endsWith('.gz')).length + 1;
    await writeFile(
      new URL(`log-${String(number).padStart(2, '0')}.json.gz`, folder),
      gzipSync(JSON.stringify(events), { level: 9 }),
    );
  }
  if (missing.size > 0) throw new Error(`No random command makes ${[...missing].join(', ')}`);
};

if (process.argv[2] === 'log') await recordLogs();

const before = JSON.parse(await readFile(documentsFile, 'utf8').catch(() => 'null')) as RecordedDocuments | null;
const kinds = await documentHashes(await recordedLogs());
const changed = process.argv[2] === 'log' || before === null ? [] : changedUnderOneVersion(before, kinds, writers);
if (changed.length > 0)
  throw new Error(
    `Documents have changed (${changed.join(', ')}): raise the version of the projection that writes them above ${before?.version} first`,
  );
const recorded: RecordedDocuments = { version: projectionVersion, versions: versionsOf(writers), kinds };
await writeFile(documentsFile, `${JSON.stringify(recorded, null, 2)}\n`);
