import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { freshServerBuild, serverDist, serverFiles } from './server-build.ts';

let root: string;

async function build(at: string): Promise<void> {
  await mkdir(join(at, serverDist), { recursive: true });
  for (const file of serverFiles) await writeFile(join(at, serverDist, file), '');
}

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'zakup-server-'));
  for (const folder of ['domain/src', 'packages/event-store/src', 'services/command/src']) {
    await mkdir(join(root, folder), { recursive: true });
  }
  await writeFile(join(root, 'package-lock.json'), '{}');
});
afterEach(() => rm(root, { recursive: true, force: true }));

describe('server build', () => {
  test('SRVB-1 is made once and then found fresh', async () => {
    expect(await freshServerBuild(root, build)).toBe('built');
    expect(await freshServerBuild(root, build)).toBe('fresh');
  });

  test.each([
    'domain/src/money.ts',
    'packages/event-store/src/event-store.ts',
    'services/command/src/app.ts',
    'package-lock.json',
  ])('SRVB-2 a change of %s makes it stale', async (path) => {
    await freshServerBuild(root, build);
    await writeFile(join(root, path), 'two');
    expect(await freshServerBuild(root, build)).toBe('built');
  });

  test.each(['writer-worker.js', 'command.js', 'projector.js', 'gateway.js', 'rebuild.js'])(
    'SRVB-3 a build without its %s is made anew',
    async (file) => {
      await freshServerBuild(root, build);
      await rm(join(root, serverDist, file));
      expect(await freshServerBuild(root, build)).toBe('built');
    },
  );
});
