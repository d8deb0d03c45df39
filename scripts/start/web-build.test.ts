import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { freshWebBuild } from './web-build.ts';

let root: string;
let builds: number;

async function build(at: string, outDir: string): Promise<void> {
  builds += 1;
  await mkdir(join(at, outDir), { recursive: true });
  await writeFile(join(at, outDir, 'index.html'), '');
}

beforeEach(async () => {
  builds = 0;
  root = await mkdtemp(join(tmpdir(), 'zakup-web-'));
  for (const folder of ['web/src/app', 'domain/src', 'packages/contracts/src']) {
    await mkdir(join(root, folder), { recursive: true });
  }
  await writeFile(join(root, 'web/src/app/main.tsx'), 'one');
  await writeFile(join(root, 'package-lock.json'), '{}');
});
afterEach(() => rm(root, { recursive: true, force: true }));

describe('web build', () => {
  test('WEB-1 is made once and then found fresh, whatever the times of the files', async () => {
    expect(await freshWebBuild(root, build)).toBe('built');
    await utimes(join(root, 'web/src/app/main.tsx'), new Date(), new Date());
    expect(await freshWebBuild(root, build)).toBe('fresh');
    expect(builds).toBe(1);
  });

  test.each(['web/src/app/main.tsx', 'domain/src/money.ts', 'packages/contracts/src/socket.ts', 'package-lock.json'])(
    'WEB-2 a change of %s makes it stale',
    async (path) => {
      await freshWebBuild(root, build);
      await writeFile(join(root, path), 'two');
      expect(await freshWebBuild(root, build)).toBe('built');
    },
  );

  test('WEB-3 a test file does not', async () => {
    await freshWebBuild(root, build);
    await writeFile(join(root, 'domain/src/money.test.ts'), 'two');
    expect(await freshWebBuild(root, build)).toBe('fresh');
  });

  test('WEB-4 a removed or broken build is made anew', async () => {
    await freshWebBuild(root, build);
    await rm(join(root, 'web/dist/index.html'));
    expect(await freshWebBuild(root, build)).toBe('built');
    const broken = () => Promise.reject(new Error('no'));
    await writeFile(join(root, 'domain/src/money.ts'), 'x');
    await expect(freshWebBuild(root, broken)).rejects.toThrow('no');
    expect(await freshWebBuild(root, build)).toBe('built');
  });
});
