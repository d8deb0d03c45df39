import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { dependenciesPage, directDependencies } from '../../scripts/dependencies/dependencies-page.ts';
import { reasons } from '../../scripts/dependencies/reasons.ts';
import { type Component, type LockedPackages, softwareBill } from '../../scripts/dependencies/sbom.ts';
import { repositoryRoot, textOf } from './repository-files.ts';

const readText = (path: string): string | null => (existsSync(join(repositoryRoot, path)) ? textOf(path) : null);
const direct = directDependencies(readText);

/** Looked at: what they ask for is kept by delivering the packages whole, and none of them reaches our own code. */
const knownLicences = new Set([
  'MIT',
  'ISC',
  'Apache-2.0',
  'BSD-3-Clause',
  'MIT OR Apache-2.0',
  // The typeface.
  'OFL-1.1',
  // In tests alone.
  'MPL-2.0',
]);

const withoutReason = (names: readonly string[]): readonly string[] =>
  names.filter((name) => (reasons[name] ?? '').trim() === '');

describe('dependencies', () => {
  test('DPN-1429 every package that a package.json names has a reason, and every reason a package', () => {
    expect(direct.length).toBeGreaterThan(50);
    const names = direct.map(({ name }) => name);
    expect(withoutReason(names)).toEqual([]);
    expect(Object.keys(reasons).filter((name) => !names.includes(name))).toEqual([]);
  });

  test('DPN-1430 a package that somebody adds without a reason is found', () => {
    const added = (path: string): string | null => {
      const text = readText(path);
      return path === 'web/package.json'
        ? JSON.stringify({ ...(JSON.parse(text ?? '{}') as object), optionalDependencies: { 'left-pad': '1.3.0' } })
        : text;
    };
    expect(withoutReason(directDependencies(added).map(({ name }) => name))).toEqual(['left-pad']);
  });

  test('DPN-1431 the page is what the manifests and the reasons say (npm run dependencies), each licence looked at', () => {
    expect(direct.filter(({ licence }) => !knownLicences.has(licence))).toEqual([]);
    expect(direct.filter(({ licence, isRun }) => licence === 'MPL-2.0' && isRun)).toEqual([]);
    expect(textOf('docs/reference/dependencies.md')).toBe(dependenciesPage(readText));
  });

  test('DPN-1432 the SBOM is CycloneDX 1.6, names what runs in production with version and licence, and nothing else', () => {
    const lock = JSON.parse(textOf('package-lock.json')) as LockedPackages;
    const { workspaces } = JSON.parse(textOf('package.json')) as { readonly workspaces: readonly string[] };
    const bill = softwareBill(lock, workspaces, new Date(0));
    expect(bill).toMatchObject({
      $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      version: 1,
      metadata: { timestamp: '1970-01-01T00:00:00.000Z', component: { type: 'application', name: 'zakup' } },
    });
    expect(bill.serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    const foreign = bill.components.filter(({ name }) => !name.startsWith('@zakup/'));
    expect(foreign.length).toBeGreaterThan(200);
    const isWhole = ({ version, purl, licenses = [], hashes = [] }: Component): boolean =>
      purl.endsWith(`@${version}`) &&
      licenses.length === 1 &&
      hashes.some(({ alg, content }) => alg === 'SHA-512' && /^[0-9a-f]{128}$/.test(content));
    expect(foreign.filter((component) => !isWhole(component))).toEqual([]);
    const names = new Set(foreign.map(({ name }) => name));
    expect(direct.filter(({ name, isRun }) => isRun && !names.has(name))).toEqual([]);
    expect(['vitest', 'oxlint', '@playwright/test', 'happy-dom'].filter((name) => names.has(name))).toEqual([]);
    // Every arrow of the graph leads to something that is listed, once.
    const refs = [bill.metadata.component, ...bill.components].map((component) => component['bom-ref']);
    const known = new Set(refs);
    expect(known.size).toBe(refs.length);
    expect(bill.dependencies.map(({ ref }) => ref)).toEqual(refs);
    expect(bill.dependencies.flatMap(({ dependsOn }) => dependsOn).filter((ref) => !known.has(ref))).toEqual([]);
  });
});
