import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { repositoryRoot } from './repository-files.ts';

const script = join(repositoryRoot, 'deploy/backup-events.mjs');
const { inOrder } = (await import(pathToFileURL(script).href)) as {
  readonly inOrder: (paths: readonly string[]) => readonly string[];
};

/** As a server leaves them. */
const files = [
  'chunk-000000.000000',
  'chunk-000001.000000',
  'chaser.chk',
  'epoch.chk',
  'truncate.chk',
  'writer.chk',
  'index/indexmap',
  'index/5f0c1e.bloomfilter',
  'index/5f0c1e',
  'index/stream-existence/streamExistenceFilter.chk',
  'index/stream-existence/streamExistenceFilter.dat',
];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'zakup-kurrent-'));
  for (const file of files) {
    mkdirSync(dirname(join(folder, 'data', file)), { recursive: true });
    writeFileSync(join(folder, 'data', file), `content of ${file}`);
  }
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = (...argv: readonly string[]) => spawnSync(process.execPath, [script, ...argv], { encoding: 'utf8' });
const contents = (name: string): readonly string[] =>
  readdirSync(join(folder, name), { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(folder, name, path)).isFile())
    .toSorted();

describe('deploy/backup-events.mjs', () => {
  test('BAK-2805 copies checkpoints of the index, the index, checkpoints of the log, then the log', () => {
    expect(inOrder(files)).toEqual([
      'index/stream-existence/streamExistenceFilter.chk',
      'index/5f0c1e',
      'index/5f0c1e.bloomfilter',
      'index/indexmap',
      'index/stream-existence/streamExistenceFilter.dat',
      'chaser.chk',
      'epoch.chk',
      'truncate.chk',
      'writer.chk',
      'chunk-000000.000000',
      'chunk-000001.000000',
    ]);
  });

  test('BAK-2806 what is put back is what was there, cut off behind the chaser; a taken or filled folder is refused', () => {
    const [data, copy, back] = ['data', 'copy', 'back'].map((name) => join(folder, name));
    expect(run(data ?? '', copy ?? '')).toMatchObject({ status: 0 });
    expect(contents('copy')).toEqual(contents('data'));
    expect(run(data ?? '', copy ?? '')).toMatchObject({ status: 1, stderr: `${copy} уже есть\n` });
    expect(run('--restore', copy ?? '', back ?? '')).toMatchObject({ status: 0 });
    expect(contents('back')).toEqual(contents('data'));
    expect(readFileSync(join(folder, 'back/truncate.chk'), 'utf8')).toBe('content of chaser.chk');
    expect(readFileSync(join(folder, 'back/chunk-000001.000000'), 'utf8')).toBe('content of chunk-000001.000000');
    expect(run('--restore', copy ?? '', back ?? '')).toMatchObject({ status: 1, stderr: `${back} не пуста\n` });
    expect(run(join(folder, 'data/index'), join(folder, 'none'))).toMatchObject({ status: 1 });
    expect(readdirSync(folder).toSorted()).toEqual(['back', 'copy', 'data']);
  });
});
