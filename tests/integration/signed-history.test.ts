import { fileURLToPath } from 'node:url';
import { callNames, calls } from '@zakup/contracts/calls/calls';
import { sealer } from '@zakup/projector/sealing/sealer';
import { otherKey, testKey, testSalt } from '@zakup/seals/testing/sealed';
import { asyncProperty, assert, constantFrom, integer, pre } from 'fast-check';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { examples } from '../calls/examples.ts';
import { send } from '../calls/send.ts';
import { givenTeam, type Team } from '../calls/team.ts';

interface Report {
  readonly ok: boolean;
  readonly events: number;
  readonly seals: number;
  readonly sealed: number;
  readonly hidden: number;
  readonly place?: { readonly event: number | null; readonly line: number };
}
const script = fileURLToPath(new URL('../../scripts/verify-history.mjs', import.meta.url));
const { checkHistory } = (await import(script)) as {
  readonly checkHistory: (source: Iterable<Buffer>, fingerprints: readonly string[]) => Promise<Report>;
};
const check = (bytes: Buffer, key = testKey): Promise<Report> => checkHistory([bytes], [key.fingerprint]);

/** Seals all that has no seal, as the projector does when the time has come. */
const seal = async ({ api: { eventStore, seals } }: Team): Promise<void> => {
  const { fingerprint, publicKey } = testKey;
  await seals.addKey({ fingerprint, publicKey, since: '2030-01-01T00:00:00.000Z' });
  const late = Date.now() + 365 * 24 * 3_600_000;
  const options = { eventStore, seals, key: testKey, fence: 1, after: 0, now: () => late, random: () => testSalt };
  const sealing = sealer(options);
  const head = await eventStore.head();
  const stop = new AbortController();
  for await (const message of eventStore.subscribe({ after: 0, signal: stop.signal })) {
    if (message.kind !== 'events') continue;
    sealing.take(message.events);
    // What was written last may come after the feed has caught up with what followers had been given.
    if ((message.events.at(-1)?.position ?? 0) >= head) stop.abort();
  }
  await sealing.settle();
};

interface Head {
  readonly kind: string;
  readonly format: string;
  readonly licenceId: string;
  readonly seals: number;
}
/** What a bundle's first line says, or null where it is no JSON or has other members. */
const headIn = (line: string): Head | null => {
  try {
    const value = JSON.parse(line) as Head;
    return Object.keys(value).toSorted().join() === 'format,kind,licenceId,seals' ? value : null;
  } catch {
    return null;
  }
};

const changes = callNames.filter((name) => calls[name].envelope.startsWith('change'));

describe('the history of a licence in which everything was done', { timeout: 120_000 }, () => {
  let team: Team;
  let owners: Buffer;
  beforeAll(async () => {
    team = await givenTeam();
    for (const [index, name] of changes.entries()) {
      const sent = await examples[name](team, team.owner);
      const { status, text } = await send(team.api, name, sent, team.owner.token);
      if (status !== 200) throw new Error(`${name}: ${text}`);
      if (index % 12 === 11) await seal(team);
    }
    await seal(team);
    await team.done('POST', '/channels', { name: 'После печати' });
    owners = await bundleOf(team.owner.token);
  }, 120_000);
  afterAll(() => team.api.close());

  const bundleOf = async (token: string): Promise<Buffer> => {
    const { status, text } = await send(team.api, 'GET /license/history-bundle', {}, token);
    expect(status).toBe(200);
    return Buffer.from(text);
  };

  test('VERI-40 is attested, whoever exports it, and by nobody else’s key', async () => {
    const whole = await check(owners);
    expect(whole).toMatchObject({ ok: true });
    expect(whole.seals).toBeGreaterThan(2);
    expect(whole.events).toBeGreaterThan(whole.sealed);
    const { token } = team.actors.ANALYTIC;
    const theirs = await check(await bundleOf(token));
    expect(theirs).toMatchObject({ ok: true, seals: whole.seals, sealed: whole.sealed });
    expect(theirs.hidden).toBeGreaterThan(whole.hidden);
    expect(await check(owners, otherKey)).toMatchObject({ ok: false, place: { event: 1 } });
  });

  test('VERI-41 changed anywhere, it is found at that place', async () => {
    const lines = owners.toString().split('\n').slice(0, -1);
    const before = lines.findIndex((line) => line.includes('"kind":"event"'));
    const firstSeal = lines.findIndex((line) => line.includes('"kind":"seal"')) + 1;
    const head = headIn(lines[0] ?? '');
    const foundByHead = (text: string): number => {
      const changed = headIn(text);
      if (changed === null || changed.kind !== 'history' || changed.format !== head?.format) return 1;
      if (changed.licenceId !== head.licenceId) return firstSeal;
      return firstSeal + Math.min(changed.seals, head.seals);
    };
    /**
     * As `diff` would find it. Only what the first line says is not signed: another licence, or another number of seals, is found where
     * the first seal, or what stands behind the seals, does not fit it.
     */
    const foundIn = (changed: readonly string[]): object => {
      const longer = Math.max(changed.length, lines.length);
      const line = Array.from({ length: longer }, (_, at) => at).findIndex((at) => changed[at] !== lines[at]) + 1;
      pre(line !== 0);
      if (line === 1) return { ok: false, place: { line: foundByHead(changed[0] ?? '') } };
      const isEvent = line > before && line < lines.length;
      return { ok: false, place: { line, ...(isEvent && { event: line - before }) } };
    };
    const at = integer({ min: 0, max: lines.length - 1 });
    await assert(
      asyncProperty(
        constantFrom('flip', 'remove', 'insert', 'swap', 'cut'),
        at,
        at,
        integer({ min: 0 }),
        async (how, from, to, column) => {
          const changed = [...lines];
          const [one = '', two = ''] = [lines[from], lines[to]];
          if (how === 'remove') changed.splice(from, 1);
          if (how === 'insert') changed.splice(to, 0, one);
          if (how === 'swap') [changed[from], changed[to]] = [two, one];
          if (how === 'cut') changed.splice(from);
          if (how === 'flip') {
            const place = column % one.length;
            changed[from] = `${one.slice(0, place)}${one[place] === '7' ? '8' : '7'}${one.slice(place + 1)}`;
          }
          const expected = foundIn(changed);
          expect(await check(Buffer.from(changed.map((line) => `${line}\n`).join('')))).toMatchObject(expected);
        },
      ),
      { numRuns: inject('isDeep') ? 200 : 50 },
    );
    const [first = ''] = lines;
    for (const [one, other] of [
      ['"licenceId":"', '"licenceId":"7'],
      [`"seals":${head?.seals}`, '"seals":1'],
      [`"seals":${head?.seals}`, '"seals":7000'],
      ['"kind"', '"kinds"'],
    ] as const) {
      const changed = [first.replace(one, other), ...lines.slice(1)];
      const expected = foundIn(changed);
      expect(await check(Buffer.from(changed.map((line) => `${line}\n`).join('')))).toMatchObject(expected);
    }
  });
});
