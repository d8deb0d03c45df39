import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aSession } from './contract-suite.ts';
import type { Session, SessionEnd } from './credentials.ts';
import { KnownSessions, rowOf } from './known-sessions.ts';

const session = (id: string, more: Partial<Session> = {}): Session => {
  const given = aSession(id, more);
  return { ...given, lastSeenAt: given.createdAt, ...more };
};

const knowing = (...ids: readonly string[]) => {
  const known = new KnownSessions();
  const ends: SessionEnd[] = [];
  known.onEnded((end) => ends.push(end));
  for (const id of ids) known.learn(session(id));
  const told = async (): Promise<readonly (readonly [string, string])[]> => {
    await Promise.resolve();
    return ends.map(({ sessionId, reason }) => [sessionId, reason] as const);
  };
  return { known, told };
};

const base = session('s1');
const puts = [base, { ...base, lastSeenAt: base.lastSeenAt + 5 }, { ...base, expiresAt: base.expiresAt - 7 }];
const anyPut = fc.constantFrom(...puts);

describe('Sessions in memory', () => {
  it('CRK-1 news may come late, twice and in any order: the end only moves nearer, a session is only seen later', () => {
    fc.assert(
      fc.property(fc.array(anyPut, { minLength: 1 }), fc.boolean(), (news, isReading) => {
        const { known } = knowing();
        for (const one of news) {
          if (isReading) known.watcher().reading()([rowOf(one)]);
          else known.watcher().put(rowOf(one));
        }
        expect(known.get('s1')).toEqual({
          ...base,
          expiresAt: Math.min(...news.map(({ expiresAt }) => expiresAt)),
          lastSeenAt: Math.max(...news.map(({ lastSeenAt }) => lastSeenAt)),
        });
      }),
    );
  });

  it('CRK-2 whatever comes before and after an end, it is told once and nothing brings the session back', async () => {
    const anyNews = fc.array(fc.oneof(anyPut, fc.constant(null)));
    await fc.assert(
      fc.asyncProperty(anyNews, anyNews, async (before, after) => {
        const { known, told } = knowing('s1');
        for (const one of [...before, null, ...after]) {
          if (one === null) known.watcher().removed('s1');
          else known.watcher().put(rowOf(one));
        }
        expect(known.get('s1')).toBeUndefined();
        expect(await told()).toEqual([['s1', 'revoked']]);
      }),
    );
  });

  it('CRK-3 an own end is told once with its reason, also when the news of it comes first', async () => {
    for (const when of ['before', 'within', 'after'] as const) {
      const { known, told } = knowing('s1');
      const own = known.beginChange();
      own.mayEnd('s1');
      if (when === 'before') known.watcher().removed('s1');
      if (when === 'within') known.watcher().reading()([]);
      own.done([], [[base, 'logged_out']]);
      if (when === 'after') known.watcher().removed('s1');
      expect(await told()).toEqual([['s1', 'logged_out']]);
      expect(known.get('s1')).toBeUndefined();
    }
  });

  it('CRK-4 an end that a failed change was to make is told when somebody else made it', async () => {
    const { known, told } = knowing('s1', 's2');
    const failing = known.beginChange();
    for (const id of ['s1', 's2']) failing.mayEnd(id);
    const another = known.beginChange();
    known.watcher().removed('s1');
    expect(await told()).toEqual([]);
    failing.failed();
    another.done([], []);
    expect(await told()).toEqual([['s1', 'revoked']]);
    expect(known.get('s2')).toBeDefined();
  });

  it('CRK-5 a reading of all rows ends those that were known when it began, and no later ones', async () => {
    const { known, told } = knowing('s1', 's2');
    const take = known.watcher().reading();
    known.beginChange().done([session('s3')], []);
    take([rowOf(session('s2')), rowOf(session('s4'))]);
    expect(await told()).toEqual([['s1', 'revoked']]);
    expect(['s2', 's3', 's4'].map((id) => known.get(id)?.id)).toEqual(['s2', 's3', 's4']);
  });
});
