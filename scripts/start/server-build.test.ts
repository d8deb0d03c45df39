import { execFile as execFileWithCallback } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { freshServerBuild, serverDist, serverFiles } from './server-build.ts';

const execFile = promisify(execFileWithCallback);
const repository = fileURLToPath(new URL('../..', import.meta.url));
let root: string;

async function build(at: string, outDir: string): Promise<void> {
  await mkdir(join(at, outDir), { recursive: true });
  for (const file of serverFiles) await writeFile(join(at, outDir, file), '');
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

  test.each([
    'writer-worker.js',
    'reading-worker.js',
    'servers-reading-worker.js',
    'projecting-worker.js',
    'command.js',
    'projector.js',
    'gateway.js',
    'rebuild.js',
    'verify.js',
    'backup.js',
    'restore.js',
    'recover.js',
    'admin-reset.js',
    'teller-worker.js',
  ])('SRVB-3 a build without its %s is made anew', async (file) => {
    await freshServerBuild(root, build);
    await rm(join(root, serverDist, file));
    expect(await freshServerBuild(root, build)).toBe('built');
  });

  test('SRVB-4 is made once for all who want it at once, and never seen half made', async () => {
    let builds = 0;
    const slow = async (at: string, outDir: string): Promise<void> => {
      builds += 1;
      await mkdir(join(at, outDir), { recursive: true });
      for (const file of serverFiles) {
        await writeFile(join(at, outDir, file), '');
        expect(existsSync(join(at, serverDist, file))).toBe(false);
      }
    };
    const all = await Promise.all(Array.from({ length: 3 }, () => freshServerBuild(root, slow)));
    expect(all.sort()).toEqual(['built', 'fresh', 'fresh']);
    expect(builds).toBe(1);
  });

  test('SRVB-5 that fails leaves what was there', async () => {
    await freshServerBuild(root, build);
    await writeFile(join(root, 'package-lock.json'), 'two');
    await expect(freshServerBuild(root, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(existsSync(join(root, serverDist, 'main.js'))).toBe(true);
    expect(await freshServerBuild(root, build)).toBe('built');
  });

  test('SRVB-6 of three processes that start at once on a stale build one makes it, and all find it whole', async () => {
    await freshServerBuild(root, build);
    await writeFile(join(root, 'package-lock.json'), 'two');
    const program = `
      import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
      import { freshServerBuild, serverDist, serverFiles } from ${JSON.stringify(new URL('server-build.ts', import.meta.url).href)};
      const [, root] = process.argv;
      await freshServerBuild(root, async (at, outDir) => {
        await appendFile(at + '/builds', 'one ');
        await mkdir(at + '/' + outDir);
        for (const file of serverFiles) await writeFile(at + '/' + outDir + '/' + file, 'anew');
      });
      for (const file of serverFiles)
        if ((await readFile(root + '/' + serverDist + '/' + file, 'utf8')) !== 'anew') throw new Error(file);
    `;
    const nodeArguments = ['--import', 'tsx', '--input-type=module', '--eval', program, root];
    await Promise.all(Array.from({ length: 3 }, () => execFile(process.execPath, nodeArguments, { cwd: repository })));
    expect(await readFile(join(root, 'builds'), 'utf8')).toBe('one ');
  });
});
