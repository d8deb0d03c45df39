import { dirname, join } from 'node:path/posix';
import { describe, expect, test } from 'vitest';
import { importsOf } from './import-rules.ts';
import { repositoryFiles, textOf } from './repository-files.ts';

/** They give what `EVENTSTOREDB_URL` and `MONGODB_URL` name, a stand-in where nothing is named, and none where `REQUIRE_SERVERS` forbids it. */
const choosing = new Set([
  'tests/support/eventstoredb-server.ts',
  'tests/support/mongodb-server.ts',
  'tests/support/test-servers.ts',
]);
const standIn = /^tests\/support\/(?:eventstoredb-standin|mongodb-standin)\/|^tests\/support\/standin-process\.ts$/u;
const named = /\.standin\.test\.ts$/u;

const files = repositoryFiles().filter((path) => path.startsWith('tests/') && path.endsWith('.ts'));

/** Whether it comes to a stand-in otherwise than through those that choose. */
const startsStandIn = (path: string, source: string, seen = new Set<string>()): boolean => {
  seen.add(path);
  return importsOf(path, source)
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => join(dirname(path), specifier))
    .filter((target) => target.endsWith('.ts') && !choosing.has(target) && !seen.has(target))
    .some((target) => standIn.test(target) || (files.includes(target) && startsStandIn(target, textOf(target), seen)));
};

const fault = (path: string, source: string): string | null => {
  const starts = startsStandIn(path, source);
  if (starts && !named.test(path)) return `${path}: starts a stand-in, whatever server is given, and is not named so`;
  if (named.test(path) && !starts) return `${path}: is named after a stand-in that it does not start`;
  if (!starts) return null;
  const blocks = [...source.matchAll(/^(?:describe|\w+Suite)\(\s*[`'"](.*?)[`'"]/gmu)].map(([, title = '']) => title);
  const unsaid = blocks.filter((title) => !title.includes('stand-in'));
  return blocks.length > 0 && unsaid.length === 0 ? null : `${path}: its titles do not say so: ${unsaid.join(', ')}`;
};

describe('tests on stand-ins', () => {
  test('STI-1 a test that meets a stand-in whatever server is given is named so, in file and title, and no other is', () => {
    const tests = files.filter((path) => /\.(?:test|e2e)\.ts$/u.test(path));
    expect(tests.filter((path) => named.test(path)).length).toBeGreaterThan(8);
    expect(tests.map((path) => fault(path, textOf(path))).filter((each) => each !== null)).toEqual([]);
  });

  test.each([
    [
      'a.test.ts',
      "import { startMongoDbStandIn } from '../support/mongodb-standin/mongodb-standin.ts';",
      'not named so',
    ],
    ['a.test.ts', "import { standInWorld } from './eventstoredb-world.ts';", 'not named so'],
    ['a.test.ts', "import { startStandIn } from '../support/standin-process.ts';", 'not named so'],
    ['a.standin.test.ts', "import { mongoDbServer } from '../support/mongodb-server.ts';", 'does not start'],
    [
      'a.standin.test.ts',
      "import { standInWorld } from './eventstoredb-world.ts';\ndescribe('plans', () => {});",
      'do not say so: plans',
    ],
  ])('STI-2 %s that reads %j breaks the rule', (name, source, said) => {
    expect(fault(`tests/contract/${name}`, source)).toContain(said);
  });

  test('STI-3 what goes through those that choose keeps it', () => {
    const source = "import { sharedServer } from './eventstoredb-shared.ts';";
    expect(fault('tests/contract/a.test.ts', source)).toBeNull();
  });
});
