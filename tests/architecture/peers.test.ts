import { describe, expect, test } from 'vitest';
import { textOf } from './repository-files.ts';

interface Manifest {
  readonly workspaces?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}
interface Lock {
  readonly packages: Readonly<Record<string, Manifest & { readonly version?: string }>>;
}

const manifestOf = (path: string): Manifest => JSON.parse(textOf(path)) as Manifest;
const lockOf = (path: string): Lock => JSON.parse(textOf(path)) as Lock;
const peers = manifestOf('bench/peers/package.json');
const asked = { ...peers.dependencies, ...peers.devDependencies };

describe('bench/peers (ADR 87)', () => {
  test('PEER-3590 lies outside the workspaces, so that npm ci at the root installs no peer', () => {
    const { workspaces = [] } = manifestOf('package.json');
    expect(workspaces.filter((folder) => folder.startsWith('bench') || folder.includes('*'))).toEqual([]);
    const locked = lockOf('package-lock.json').packages;
    expect(Object.keys(locked).filter((path) => /^bench\/|event-driven-io|node_modules\/sqlite3$/.test(path))).toEqual(
      [],
    );
  });

  test('PEER-3591 asks for exact versions, agrees with its lock file, and names no download address in it', () => {
    expect(Object.entries(asked).filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
    const { dependencies, devDependencies } = lockOf('bench/peers/package-lock.json').packages[''] ?? {};
    expect({ dependencies, devDependencies }).toEqual({
      dependencies: peers.dependencies,
      devDependencies: peers.devDependencies,
    });
    expect(textOf('bench/peers/package-lock.json')).not.toMatch(/"resolved": "[a-z+]+:/);
  });

  test('PEER-3592 runs on the libraries of the product in the same versions, so that they are not what is compared', () => {
    const product = lockOf('package-lock.json').packages;
    const shared = ['@photostructure/sqlite', 'express', 'jsonwebtoken', 'socket.io', 'socket.io-client', 'zod'];
    expect(Object.fromEntries(shared.map((name) => [name, asked[name]]))).toEqual(
      Object.fromEntries(shared.map((name) => [name, product[`node_modules/${name}`]?.version])),
    );
  });
});
