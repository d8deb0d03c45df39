import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { importsOf } from './import-rules.ts';
import { repositoryRoot, textOf } from './repository-files.ts';

const path = 'scripts/verify-history.mjs';
/** What checking needs of Node. Everything that reaches a network, another process or another file's code stays outside. */
const allowed = new Set(['node:crypto', 'node:fs', 'node:path', 'node:url']);
/** Ways to other code, or to the network, that no import statement shows. */
const hidden =
  /\b(?:import\s*\(|import\.meta\.resolve|require\b|createRequire|getBuiltinModule|process\.binding|eval\b|Function\s*\(|fetch\b|WebSocket\b|EventSource\b|XMLHttpRequest\b)/gu;

/** What the verifier may not reach for, as it is written there. */
const faultsIn = (source: string): readonly string[] => [
  ...importsOf('verifier.mjs', source).filter((specifier) => !allowed.has(specifier)),
  ...(source.match(hidden) ?? []),
];

describe('the verifier of signed histories', () => {
  test('ARCH-22 imports nothing but what Node has for files and hashes, and knows no network', () => {
    const source = textOf(path);
    expect(importsOf(path, source).length).toBeGreaterThan(0);
    expect(faultsIn(source)).toEqual([]);
  });

  test.each([
    ["import canonicalize from 'canonicalize';", 'canonicalize'],
    ["import { rules } from './rules.mjs';", './rules.mjs'],
    ["import { request } from 'node:https';", 'node:https'],
    ["import { createHash } from 'crypto';", 'crypto'],
    ["export * from 'node:net';", 'node:net'],
    ["const { lookup } = await import('node:dns');", 'node:dns'],
    ['const socket = await import(name);', 'import('],
    ["const { Socket } = process.getBuiltinModule('net');", 'getBuiltinModule'],
    ["await fetch('https://example.org/key');", 'fetch'],
    ["new WebSocket('wss://example.org');", 'WebSocket'],
  ])('ARCH-23 %s is found', (source, fault) => {
    expect(faultsIn(source)).toContain(fault);
  });

  test('ARCH-24 works where there is no other file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'zakup-verifier-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    copyFileSync(join(repositoryRoot, path), join(folder, 'verify-history.mjs'));
    const { status, stderr } = spawnSync(process.execPath, ['verify-history.mjs'], {
      cwd: folder,
      env: {},
      encoding: 'utf8',
    });
    expect([status, stderr.includes('node verify-history.mjs')]).toEqual([2, true]);
    expect(readdirSync(folder)).toEqual(['verify-history.mjs']);
  });
});
