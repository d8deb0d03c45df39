import { readFile } from 'node:fs/promises';
import { catalog } from '@zakup/domain/catalog';
import { expect, test } from 'vitest';
import { documentHashes, documentsFile, recordedLogs, type RecordedDocuments } from './testing/recorded-logs.ts';
import { projectionVersion } from './version.ts';

const recorded = async (): Promise<RecordedDocuments> => JSON.parse(await readFile(documentsFile, 'utf8'));

test('PJ-1750 what the projections make of recorded logs changes only with their version: raise it, then record anew with testing/record-documents.ts', async () => {
  const kinds = await documentHashes(await recordedLogs());
  expect({ version: projectionVersion, kinds }).toEqual(await recorded());
});

test('PJ-1751 the recorded logs hold events of every type', async () => {
  const types = new Set((await recordedLogs()).flatMap((log) => log.map(({ type }) => type)));
  expect(Object.keys(catalog).filter((type) => !types.has(type))).toEqual([]);
});

test('PJ-1752 one member more in one document is another hash of its kind alone', async () => {
  const [log = []] = await recordedLogs();
  const place = log.findIndex(({ type }) => type === 'ContractorCreated');
  const changed = log.map((event, index) =>
    index === place ? { ...event, data: { ...event.data, channelName: 'Иначе' } } : event,
  );
  const [before, after] = [await documentHashes([log]), await documentHashes([changed])];
  const different = Object.keys(before).filter((kind) => before[kind] !== after[kind]);
  expect(different).toContain('contractor');
  expect(different).not.toContain('campaign');
});
