import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RecordedEvent } from '@zakup/event-store/event-store';
import { asyncProperty, assert, constantFrom, integer, pre, record } from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { bundleText, type IsShown } from './bundle.ts';
import { canonicalText, type Json } from './canonical.ts';
import { chained, chainOver, chainStart, eventHash, partHash, partHashes, type SealFormat } from './chain.ts';
import { hashOfSeal, noSeal, type SealKey } from './seal.ts';
import type { StoredSeal } from './seal-store.ts';
import { firstInstant, otherKey, recordedEvent, testKey, testSalt } from './testing/sealed.ts';

interface Place {
  readonly event: number | null;
  readonly id: string | null;
  readonly seal: number | null;
  readonly line: number;
}
interface Report {
  readonly ok: boolean;
  readonly problem?: string;
  readonly place?: Place;
  readonly events: number;
  readonly seals: number;
  readonly sealed: number;
  readonly hidden: number;
}

const script = fileURLToPath(new URL('../../../scripts/verify-history.mjs', import.meta.url));
let checkHistory: (
  source: Iterable<Buffer>,
  fingerprints: readonly string[],
  known?: readonly { readonly number: number; readonly hash: string }[],
) => Promise<Report>;
beforeAll(async () => {
  ({ checkHistory } = (await import(script)) as { checkHistory: typeof checkHistory });
});
const checked = (text: string | Buffer, ...keys: readonly SealKey[]): Promise<Report> =>
  checkHistory(
    [Buffer.from(text as string)],
    (keys.length === 0 ? [testKey] : keys).map(({ fingerprint }) => fingerprint),
  );

const licence = '3f1';
const data = (number: number): RecordedEvent['data'] => ({
  leads: number,
  name: `Анна ${number}`,
  email: `anna${number}@example.com`,
  participants: [{ userId: 'u', salaryRate: number / 3 }],
});
const history = (count: number): RecordedEvent[] =>
  Array.from({ length: count }, (_, index) => recordedEvent(licence, index + 1, data(index + 1)));

/** Seals over so many events each. */
const sealsOver = (
  events: readonly RecordedEvent[],
  counts: readonly number[],
  keys: readonly SealKey[],
  formats: readonly SealFormat[] = [],
): StoredSeal[] => {
  const seals: StoredSeal[] = [];
  for (const [index, count] of counts.entries()) {
    const last = seals.at(-1)?.seal ?? null;
    const total = (last?.total ?? 0) + count;
    const own = events.slice(total - count, total);
    const seal = (keys[index % keys.length] ?? testKey).sign({
      format: formats[index] ?? 'zakup-seal-2',
      licenceId: licence,
      number: index + 1,
      total,
      count,
      firstEventId: own[0]?.id ?? '',
      lastEventId: own.at(-1)?.id ?? '',
      chain: chainOver(last?.chain ?? chainStart(licence), testSalt, own, formats[index]),
      previous: last === null ? noSeal : hashOfSeal(last),
      sealedAt: new Date(firstInstant + total).toISOString(),
    });
    seals.push({ seal, position: total, stream: '', revision: 0 });
  }
  return seals;
};

const all: IsShown = () => true;
const withoutMail: IsShown = (_, part) => part !== 'data.email' && part !== 'requestHash';

const bundle = async ({
  events = history(40),
  counts = [10, 10, 7],
  keys = [testKey],
  isShown = withoutMail,
  formats = [],
}: {
  readonly events?: RecordedEvent[];
  readonly counts?: readonly number[];
  readonly keys?: readonly SealKey[];
  readonly isShown?: IsShown;
  readonly formats?: readonly SealFormat[];
} = {}): Promise<string> => {
  const pages = async function* (): AsyncGenerator<RecordedEvent[]> {
    yield events.slice(0, 13);
    yield events.slice(13);
  };
  const seals = sealsOver(events, counts, keys, formats);
  let text = '';
  const options = { licenceId: licence, keys, seals, events: pages(), saltKey: testSalt, isShown };
  for await (const piece of bundleText(options)) text += piece;
  return text;
};
const linesOf = (text: string): string[] => text.split('\n').slice(0, -1);
/** Hash of the seal of that number. */
const sealHashIn = (text: string, number: number): string =>
  hashOfSeal((JSON.parse(linesOf(text)[head + key + number - 1] ?? '') as Pick<StoredSeal, 'seal'>).seal);
const joined = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

/** What stands on a line of a bundle with one key, three seals and forty events. */
const [head, key, seals, events, sealed, end] = [1, 1, 3, 40, 27, 1];
const before = head + key + seals;
const numberOn = (line: number): number | null => (line > before && line <= before + events ? line - before : null);
/** What is told of a fault that begins on this line. */
const foundOn = (line: number): object => {
  const event = numberOn(line);
  return { ok: false, place: { line, ...(event !== null && { event }) } };
};

describe('a bundle', () => {
  test('VERI-1 that is untouched passes, whatever is withheld from whoever exports', async () => {
    for (const isShown of [all, withoutMail, () => false])
      expect(await checked(await bundle({ isShown }))).toMatchObject({
        ok: true,
        licenceId: licence,
        events: 40,
        seals: 3,
        sealed: 27,
        hidden: isShown === all ? 0 : isShown === withoutMail ? 80 : 240,
      });
  });

  test('VERI-2 shows what may be seen with its salt, and of the rest nothing but hashes', async () => {
    const text = await bundle();
    expect(text).not.toContain('example.com');
    expect(text).toContain('Анна 7');
    const third = JSON.parse(linesOf(text)[before + 2] ?? '') as { readonly parts: Readonly<Record<string, object>> };
    const hashes = partHashes(testSalt, recordedEvent(licence, 3, data(3)));
    expect(third.parts['data.email']).toEqual({ hash: hashes['data.email'] });
    expect(third.parts['data.leads']).toEqual({ salt: expect.stringMatching(/^[0-9a-f]{64}$/u), value: 3 });
    const salts = linesOf(text).flatMap((line) => [...line.matchAll(/"salt":"([^"]+)"/gu)].map(([, salt]) => salt));
    expect(new Set(salts).size).toBe(salts.length);
  });

  test('VERI-3 of two exporters who see different things is attested by the same seals', async () => {
    const [mine, theirs] = [linesOf(await bundle({ isShown: all })), linesOf(await bundle())];
    expect(mine.slice(0, before)).toEqual(theirs.slice(0, before));
    expect(mine.at(-1)).toBe(theirs.at(-1));
  });

  test('VERI-4 any byte that is changed is found, on its line', async () => {
    const bytes = Buffer.from(await bundle());
    const lineOf = (at: number): number => bytes.subarray(0, at).filter((byte) => byte === 10).length + 1;
    await assert(
      asyncProperty(integer({ min: 0, max: bytes.length - 1 }), integer({ min: 1, max: 255 }), async (at, by) => {
        const changed = Buffer.from(bytes);
        changed[at] = ((changed[at] ?? 0) ^ by) & 255;
        expect(await checked(changed)).toMatchObject(foundOn(lineOf(at)));
      }),
      { numRuns: 200 },
    );
  });

  test('VERI-5 a line that is removed, doubled, moved or put in is found at the first place that is wrong', async () => {
    const lines = linesOf(await bundle());
    const last = before + events + end;
    await assert(
      asyncProperty(
        record({
          how: constantFrom('remove', 'double', 'swap', 'insert'),
          from: integer({ min: 1, max: last }),
          to: integer({ min: 1, max: last }),
        }),
        async ({ how, from, to }) => {
          const changed = [...lines];
          const [one = '', two = ''] = [lines[from - 1], lines[to - 1]];
          if (how === 'remove') changed.splice(from - 1, 1);
          else if (how === 'double') changed.splice(from, 0, one);
          else if (how === 'insert') changed.splice(to - 1, 0, one);
          else [changed[from - 1], changed[to - 1]] = [two, one];
          const longer = Math.max(changed.length, lines.length);
          const first =
            Array.from({ length: longer }, (_, index) => index).findIndex((at) => changed[at] !== lines[at]) + 1;
          pre(first !== 0);
          expect(await checked(joined(changed))).toMatchObject(foundOn(first));
        },
      ),
      { numRuns: 200 },
    );
  });

  test('VERI-6 one that is cut anywhere is found; before the last seal the first event that is gone is named', async () => {
    const bytes = Buffer.from(await bundle());
    await assert(
      asyncProperty(integer({ min: 0, max: bytes.length - 1 }), async (length) => {
        const whole = bytes.subarray(0, length).filter((byte) => byte === 10).length;
        expect(await checked(bytes.subarray(0, length))).toMatchObject(foundOn(whole + 1));
      }),
      { numRuns: 100 },
    );
    const lines = linesOf(bytes.toString());
    const wholeEnd = (count: number): string => {
      const chain = (JSON.parse(lines[before + count - 1] ?? '') as { readonly chain: string }).chain;
      return canonicalText({ kind: 'end', events: count, chain });
    };
    const cut = (count: number) => checked(joined([...lines.slice(0, before + count), wholeEnd(count)]));
    for (const count of [1, 9, 10, 26]) {
      const report = await cut(count);
      expect(report).toMatchObject({ ok: false, place: { event: count + 1 } });
      expect(report.problem).toContain(`нет события № ${count + 1}`);
    }
    // Behind the last seal nothing is attested, and that is said.
    expect(await cut(sealed)).toMatchObject({ ok: true, sealed, events: sealed });
    expect(await cut(30)).toMatchObject({ ok: true, sealed, events: 30 });
  });

  test('VERI-7 a history that was written anew with hashes that fit, as who has the salts could, is found by its seal', async () => {
    const original = history(40);
    const text = linesOf(await bundle());
    const falsified = async (change: (events: RecordedEvent[]) => void): Promise<Report> => {
      const changed = structuredClone(original);
      change(changed);
      const lines = linesOf(await bundle({ events: changed, counts: [] })).slice(head + key);
      return checked(joined([...text.slice(0, before), ...lines]));
    };
    const altered = await falsified((list) =>
      list.splice(14, 1, recordedEvent(licence, 15, { ...data(15), leads: 0 })),
    );
    expect(altered).toMatchObject({ ok: false, sealed: 10, place: { event: 11, seal: 2, id: original[10]?.id } });
    expect(await falsified((list) => list.splice(3, 1))).toMatchObject({ ok: false, place: { event: 1, seal: 1 } });
    expect(await falsified((list) => list.splice(22, 0, recordedEvent(licence, 99, data(99))))).toMatchObject({
      ok: false,
      place: { event: 21, seal: 3 },
    });
    expect(await falsified((list) => list.splice(5, 2, ...list.slice(5, 7).toReversed()))).toMatchObject({
      ok: false,
      place: { event: 1, seal: 1 },
    });
    expect(await falsified((list) => list.splice(25))).toMatchObject({ ok: false, place: { event: 26 } });
    expect(await falsified((list) => list.splice(30, 1, recordedEvent(licence, 77, {})))).toMatchObject({ ok: true });
  });

  test('HOLD-18 others have their turn while a piece of large events is hashed', async () => {
    const heavy = Array.from({ length: 60 }, (_, index) =>
      recordedEvent(licence, index + 1, { text: `${index}`.repeat(200_000) }),
    );
    let turns = 0;
    let pieces = 0;
    let isOver = false;
    const look = (): void => {
      turns += 1;
      if (!isOver) setImmediate(look);
    };
    setImmediate(look);
    const pages = async function* (): AsyncGenerator<RecordedEvent[]> {
      yield heavy;
    };
    const options = { licenceId: licence, keys: [testKey], seals: [], saltKey: testSalt, isShown: all };
    for await (const piece of bundleText({ ...options, events: pages() })) pieces += piece.length > 0 ? 1 : 0;
    isOver = true;
    expect(pieces).toBe(1);
    expect(turns).toBeGreaterThan(3);
  });

  test('VERI-8 one that is signed anew with another key fails the fingerprint, and passes with both named', async () => {
    const forged = await bundle({ keys: [otherKey] });
    const report = await checked(forged);
    expect(report).toMatchObject({ ok: false, place: { event: 1, seal: 1 } });
    expect(report.problem).toContain(otherKey.fingerprint);
    const turned = await bundle({ keys: [testKey, otherKey] });
    expect(await checked(turned)).toMatchObject({ ok: false, place: { seal: 2, event: 11 } });
    expect(await checked(turned, testKey, otherKey)).toMatchObject({ ok: true, seals: 3 });
    // The other key under the fingerprint of the right one.
    const named = forged.replaceAll(otherKey.fingerprint, testKey.fingerprint);
    expect(await checked(named)).toMatchObject({ ok: false, place: { line: 2 } });
  });

  test('VERI-9 a value in place of another, a hash for a value and a part under a strange name are found', async () => {
    const lines = linesOf(await bundle({ isShown: all }));
    const third = JSON.parse(lines[before + 2] ?? '') as {
      readonly parts: Readonly<Record<string, { readonly salt: string; readonly value: Json }>>;
      readonly number: number;
      readonly kind: string;
      readonly chain: string;
    };
    const leads = third.parts['data.leads'] ?? { salt: '', value: null };
    const wrong: readonly Readonly<Record<string, Json>>[] = [
      { 'data.leads': { ...leads, value: 4 } },
      { 'data.leads': { hash: partHash(Buffer.from(leads.salt, 'hex'), 'data.leads', 4) } },
      { 'data.leads': { ...leads, hash: 'a'.repeat(64) } },
      { 'data.extra': { hash: 'a'.repeat(64) } },
      JSON.parse(`{"__proto__":{"hash":"${'a'.repeat(64)}"}}`) as Readonly<Record<string, Json>>,
      { envelope: { hash: partHashes(testSalt, recordedEvent(licence, 3, data(3)))['envelope'] ?? '' } },
    ];
    for (const parts of wrong) {
      const own = Object.entries(parts);
      const changed = canonicalText({
        ...third,
        parts: Object.fromEntries([...Object.entries(third.parts).filter(([name]) => own[0]?.[0] !== name), ...own]),
      });
      expect(await checked(joined(lines.with(before + 2, changed)))).toMatchObject({ ok: false, place: { event: 3 } });
    }
    // The same, told in its hash: it is what it was.
    const same = canonicalText({
      ...third,
      parts: { ...third.parts, 'data.leads': { hash: partHash(Buffer.from(leads.salt, 'hex'), 'data.leads', 3) } },
    });
    expect(await checked(joined(lines.with(before + 2, same)))).toMatchObject({ ok: true, hidden: 1 });
    expect(chained(chainStart(licence), eventHash({}))).toHaveLength(64);
  });

  test('VERI-1321 seals of the first version and of the second behind them pass, the other way round they do not', async () => {
    const mixed = await bundle({ formats: ['zakup-seal-1', 'zakup-seal-1'] });
    expect(await checked(mixed)).toMatchObject({ ok: true, sealed: 27 });
    expect(linesOf(mixed).filter((line) => line.includes('"recorded"'))).toHaveLength(20);
    expect(await checked(await bundle({ formats: ['zakup-seal-2', 'zakup-seal-1'] }))).toMatchObject({
      ok: false,
      place: { seal: 2 },
    });
  });

  test('VERI-1322 recorded times that were shifted are found by the seal, also when the whole history is hashed anew', async () => {
    const shifted = history(40).map((event) => ({
      ...event,
      recordedAt: new Date(Date.parse(event.recordedAt) - 86_400_000).toISOString(),
    }));
    const sealLines = linesOf(await bundle()).slice(0, before);
    const lines = linesOf(await bundle({ events: shifted, counts: [] })).slice(head + key);
    expect(await checked(joined([...sealLines, ...lines]))).toMatchObject({ ok: false, place: { event: 1, seal: 1 } });
    // By whoever has the key: what is recorded after its seal, or before the event before it, shows.
    const later = history(40).map((event) => ({ ...event, recordedAt: '2026-11-22T00:00:00.000Z' }));
    const ahead = await checked(await bundle({ events: later }));
    expect(ahead).toMatchObject({ ok: false, place: { event: 1 } });
    expect(ahead.problem).toContain('записано позже своей печати');
    const back = history(40).map((event, index) =>
      index === 4 ? { ...event, recordedAt: '2026-11-20T00:00:00.000Z' } : event,
    );
    const gone = await checked(await bundle({ events: back }));
    expect(gone).toMatchObject({ ok: false, place: { event: 5 } });
    expect(gone.problem).toContain('записано раньше предыдущего');
  });

  test('VERI-1323 a history that was sealed anew with the right key fails the seal that was noted before', async () => {
    const text = await bundle();
    const known = [{ number: 2, hash: sealHashIn(text, 2) }];
    const withKnown = (given: string) => checkHistory([Buffer.from(given)], [testKey.fingerprint], known);
    expect(await withKnown(text)).toMatchObject({ ok: true });
    const other = history(40).map((event, index) => (index === 3 ? { ...event, data: { leads: 0 } } : event));
    const anew = await bundle({ events: other });
    expect(await checked(anew)).toMatchObject({ ok: true });
    expect(await withKnown(anew)).toMatchObject({ ok: false, place: { event: 11, seal: 2 } });
    expect(await withKnown(await bundle({ counts: [10] }))).toMatchObject({ ok: false, place: { seal: 2 } });
  });

  test('VERI-10 without a seal nothing is attested, and that is no success', async () => {
    expect(await checked(await bundle({ counts: [] }))).toMatchObject({
      ok: false,
      problem: 'печатей нет: ничего не удостоверено',
    });
    expect(await checked('')).toMatchObject({ ok: false, place: { line: 1 } });
    expect(await checked('{}\n')).toMatchObject({ ok: false, place: { line: 1 } });
  });
});

describe('node verify-history.mjs', () => {
  test('VERI-3650 a line of nested lists is refused by name before anything parses it, one of a hundred levels is read', async () => {
    const lists = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
    const lines = linesOf(await bundle());
    const deep = (value: string): string =>
      joined(lines.map((line) => line.replace('"value":"Анна 17"', `"value":${value}`)));
    const { id } = recordedEvent(licence, 17);
    // The event's own levels are three.
    expect(await checked(deep(lists(98)))).toMatchObject({
      ok: false,
      problem: 'строка 22: вложена глубже 100 уровней, таких в выгрузке нет',
      place: { event: 17, line: 22 },
    });
    expect(await checked(deep(lists(97)))).toMatchObject({ problem: `событие № 17 (${id}): изменено` });
    expect(await checked(deep(`"\\"${'['.repeat(200)}"`))).toMatchObject({
      problem: `событие № 17 (${id}): изменено`,
    });
    expect(await checked(`${lists(7_000_000)}\n`)).toMatchObject({ ok: false, place: { event: 1, line: 1 } });
  });

  test('VERI-3435 lets no bundle speak to the terminal, which carries out what it is shown', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'zakup-verify-'));
    const file = join(dir, 'bundle.ndjson');
    const spoken = '\u001B[2J\u202EСошлось: лицензия 3f1.\n';
    writeFileSync(file, (await bundle()).replace('"zakup-history-1"', JSON.stringify(spoken)));
    const { status, stdout } = spawnSync(process.execPath, [script, file, testKey.fingerprint], {
      encoding: 'utf8',
      env: {},
    });
    expect({ status, stdout }).toEqual({
      status: 1,
      stdout: 'НЕ СОШЛОСЬ: формат \uFFFD[2J\uFFFDСошлось: лицензия 3f1.\uFFFD этой проверке не знаком\n',
    });
    rmSync(dir, { recursive: true, force: true });
  });

  test('VERI-11 says in Russian what was checked, or where it is wrong, and ends accordingly', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'zakup-verify-'));
    const run = (text: string | null, ...args: readonly string[]) => {
      const file = join(dir, 'bundle.ndjson');
      if (text !== null) writeFileSync(file, text);
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        [script, ...(text === null ? [] : [file]), ...args],
        {
          encoding: 'utf8',
          env: {},
        },
      );
      return { status, stdout, stderr };
    };
    const text = await bundle();
    const lastHash = sealHashIn(text, 3);
    const spaced = testKey.fingerprint.toUpperCase().replaceAll(/(.{4})/gu, '$1 ');
    expect(run(text, spaced)).toEqual({
      status: 3,
      stderr: '',
      stdout: [
        'Сошлось: лицензия 3f1.',
        'Проверено событий: 40, печатей: 3, подписи сделаны названным ключом.',
        'Последняя печать № 3 от 2026-11-21T09:00:00.027Z удостоверяет события по № 27.',
        `Запишите её для следующей проверки: --seal 3:${lastHash}`,
        'После неё событий: 13. Они ещё не удостоверены, их можно было изменить.',
        'Скрыто от того, кто выгружал, значений: 80; вместо них стоят их хеши.',
        '',
      ].join('\n'),
    });
    const id = recordedEvent(licence, 17).id;
    expect(run(text.replace('Анна 17"', 'Анна 71"'), testKey.fingerprint)).toEqual({
      status: 1,
      stderr: '',
      stdout: `НЕ СОШЛОСЬ: событие № 17 (${id}): изменено\nДо этого сошлось событий: 10.\n`,
    });
    expect(run(text, testKey.fingerprint, '--seal', `3:${lastHash}`).status).toBe(3);
    expect(run(text, '--seal', `3:${'0'.repeat(64)}`, testKey.fingerprint)).toMatchObject({ status: 1 });
    expect(run(text, testKey.fingerprint, '--seal').status).toBe(2);
    expect(run(text, testKey.fingerprint, '--seal', '3').status).toBe(2);
    expect(run(await bundle({ counts: [10, 30] }), testKey.fingerprint).status).toBe(0);
    expect(run(null).status).toBe(2);
    expect(run(text, 'short').stderr).toContain('node verify-history.mjs');
    expect(run(null, join(dir, 'none'), testKey.fingerprint)).toMatchObject({ status: 2, stdout: '' });
    rmSync(dir, { recursive: true, force: true });
  });
});
