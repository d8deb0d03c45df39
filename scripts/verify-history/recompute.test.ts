import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { catalog } from '@zakup/domain/catalog';
import type { RecordedEvent } from '@zakup/event-store/event-store';
import { naiveDocuments } from '@zakup/projections/testing/naive/documents';
import { recordedLogs } from '@zakup/projections/testing/recorded-logs';
import { bundleText, type IsShown } from '@zakup/seals/bundle';
import { canonicalText } from '@zakup/seals/canonical';
import { chainOver, chainStart, partsOf } from '@zakup/seals/chain';
import { hashOfSeal, noSeal } from '@zakup/seals/seal';
import type { StoredSeal } from '@zakup/seals/seal-store';
import { testKey, testSalt } from '@zakup/seals/testing/sealed';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

interface Earned {
  readonly userId: string;
  readonly terms: object | null;
  readonly spent: number;
  readonly earnings: number | null;
}
interface Campaign {
  readonly id: string;
  readonly summary: Readonly<Record<string, number>>;
  readonly earnings: readonly Earned[];
}
interface Figures {
  readonly campaigns: readonly Campaign[];
  readonly people: readonly { readonly userId: string; readonly earnings: number | null }[];
  readonly deletedCampaigns: number;
}
interface Recomputed {
  readonly problem: string | null;
  readonly figures: Figures | null;
}
interface Verifier {
  readonly recomputation: () => {
    readonly apply: (parts: Readonly<Record<string, unknown>>) => void;
    readonly result: () => Recomputed;
  };
}

const script = fileURLToPath(new URL('../verify-history.mjs', import.meta.url));
const { recomputation } = (await import(script)) as Verifier;

const isHidden: IsShown = () => false;
const all: IsShown = () => true;
const withoutTerms: IsShown = (_, part) => part !== 'data.participants' && part !== 'data.participant';

/** As the bundle shows an event. */
const shownParts = (event: RecordedEvent, isShown: IsShown) =>
  Object.fromEntries(
    Object.entries(partsOf(event)).map(([name, value]) => [
      name,
      name === 'envelope' || name === 'stream' || isShown(event, name)
        ? { salt: '0'.repeat(64), value: JSON.parse(canonicalText(value)) as unknown }
        : { hash: '0'.repeat(64) },
    ]),
  );
const recomputed = (events: readonly RecordedEvent[], isShown = all): Recomputed => {
  const { apply, result } = recomputation();
  for (const event of events) apply(shownParts(event, isShown));
  return result();
};
const figuresOf = (events: readonly RecordedEvent[], isShown = all): Figures => {
  const { figures, problem } = recomputed(events, isShown);
  if (figures === null) throw new Error(`No figures: ${problem}`);
  return figures;
};

interface NaiveEarnings {
  readonly campaignId: string;
  readonly userId: string;
  readonly terms: { readonly salaryType: string | null; readonly salaryRate: number; readonly source: string };
  readonly spent: number;
  readonly earnings: number;
  readonly countedTotal: { readonly count: number };
}
interface NaiveAnalytics {
  readonly campaignId: string;
  readonly totalBudget: number;
  readonly paid: number;
  readonly total: { readonly spent: number; readonly leads: number; readonly placements: number };
}
/** What the naive fold of the projections' tests says of every campaign that is not deleted. */
const expectedOf = (events: readonly RecordedEvent[]) => {
  const documents = [...naiveDocuments(events)].map(
    ([name, said]) => [name, (said as { data: unknown }).data] as const,
  );
  const ofKind = <Data>(kind: string): Data[] =>
    documents.filter(([name]) => name.startsWith(`${kind}/`)).map(([, data]) => data as Data);
  const earnings = ofKind<NaiveEarnings>('earnings');
  return ofKind<NaiveAnalytics>('analytics').map(({ campaignId, totalBudget, paid, total }) => ({
    id: campaignId,
    summary: {
      totalBudget: totalBudget / 100,
      spentBudget: total.spent / 100,
      remainingBudget: (totalBudget - total.spent) / 100,
      averageCostPerLead: total.leads === 0 ? 0 : Math.floor((2 * total.spent + total.leads) / (2 * total.leads)) / 100,
      totalLeads: total.leads,
      totalPlacements: total.placements,
      paidBudget: paid / 100,
      unpaidBudget: (total.spent - paid) / 100,
    },
    earnings: earnings
      .filter((one) => one.campaignId === campaignId)
      .toSorted((a, b) => (a.userId < b.userId ? -1 : 1))
      .map(({ userId, terms, spent, countedTotal, earnings: earned }) => ({
        userId,
        salaryType: terms.salaryType,
        salaryRate: terms.salaryRate,
        source: terms.source,
        spent: spent / 100,
        counted: countedTotal.count,
        earnings: earned / 100,
      })),
  }));
};
const comparable = ({ campaigns }: Figures) =>
  campaigns.map(({ id, summary, earnings }) => ({
    id,
    summary,
    earnings: earnings.map(({ terms, ...one }) => {
      const { name: _name, ...line } = one as Earned & { readonly name: unknown };
      const { cplThreshold: _threshold, ...rest } = terms as { readonly cplThreshold: number };
      return { ...line, ...rest };
    }),
  }));
const byId = (a: { readonly id: string }, b: { readonly id: string }): number => (a.id < b.id ? -1 : 1);

let logs: readonly (readonly RecordedEvent[])[] = [];
beforeAll(async () => {
  logs = await recordedLogs();
});

/** A recorded log with one event more: the buyer who spent in a campaign gets terms there, 10 % of what is spent. */
const ownTermsLog = (): readonly RecordedEvent[] => {
  for (const events of logs)
    for (const { id, earnings } of figuresOf(events).campaigns) {
      const buyer = earnings.find(({ spent }) => spent > 0);
      const [last, same] = [
        events.at(-1),
        events.findLast(({ stream }) => stream.startsWith('campaign-') && stream.endsWith(`~${id}`)),
      ];
      if (buyer === undefined || last === undefined || same === undefined) continue;
      const participant = { userId: buyer.userId, budget: 0, salaryType: 'budget', salaryRate: 10, cplThreshold: null };
      const added = {
        ...same,
        id: '00000000-0000-4000-8000-00000000beef',
        type: 'CampaignParticipantSet',
        data: { participant },
        revision: same.revision + 1,
        position: last.position + 1,
        recordedAt: last.recordedAt,
      };
      return [...events, added];
    }
  throw new Error('Nobody spent anything in the recorded logs');
};

describe('figures of a bundle, recomputed', () => {
  test('MGR-2950 are those that the naive fold tells of every recorded log: sums, terms and earnings of each campaign', () => {
    let earned = 0;
    for (const events of [...logs, ownTermsLog()]) {
      const figures = figuresOf(events);
      expect(comparable(figures).toSorted(byId)).toEqual(expectedOf(events).toSorted(byId));
      earned += figures.people.filter(({ earnings }) => (earnings ?? 0) > 0).length;
    }
    expect(earned).toBeGreaterThan(10);
  });

  test('MGR-2951 never tell an amount where the terms that made it are hidden, and tell the sums all the same', () => {
    const events = ownTermsLog();
    const [full, hidden] = [figuresOf(events), figuresOf(events, withoutTerms)];
    expect(hidden.campaigns.map(({ summary }) => summary)).toEqual(full.campaigns.map(({ summary }) => summary));
    const unknown = hidden.campaigns.flatMap(({ id, earnings }) =>
      earnings.map((one) => ({ id, userId: one.userId, earnings: one.earnings })),
    );
    expect(unknown.some(({ earnings }) => earnings === null)).toBe(true);
    for (const { id, userId, earnings } of unknown) {
      const right = full.campaigns.find((one) => one.id === id)?.earnings.find((one) => one.userId === userId);
      expect([null, right?.earnings]).toContain(earnings);
    }
    const partly = new Set(unknown.filter(({ earnings }) => earnings === null).map(({ userId }) => userId));
    for (const { userId, earnings } of hidden.people) expect(earnings === null).toBe(partly.has(userId));
  });

  test('MGR-2952 are refused with a reason where an event is of a type that is not known, or what sums are made of is hidden', () => {
    const events = ownTermsLog();
    const added = events.findIndex(({ type }) => type === 'PlacementAdded');
    const other = events.with(added, { ...(events[added] as RecordedEvent), type: 'PlacementSplit' });
    expect(recomputed(other)).toEqual({
      problem: 'событие PlacementSplit версии 1 этой проверке не знакомо',
      figures: null,
    });
    expect(recomputed(events, isHidden)).toMatchObject({ figures: null });
  });

  test('MGR-2953 know every type that the catalogue has for placements, campaigns, people and the licence', () => {
    const ofFigures = new Set(['placement', 'campaign', 'employee', 'licence']);
    for (const [type, { categories, version }] of Object.entries(catalog))
      for (const category of categories.filter((one) => ofFigures.has(one))) {
        const { apply, result } = recomputation();
        apply({
          envelope: { value: { type, schemaVersion: version } },
          stream: { value: `${category}-0f~1` },
        });
        expect(result().problem ?? '').not.toContain('не знакомо');
      }
  });
});

describe('verify-history.mjs --recompute', () => {
  const dir = mkdtempSync(join(tmpdir(), 'zakup-recompute-'));
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  const writeBundle = async (events: readonly RecordedEvent[], sealed: readonly number[], isShown = all) => {
    const licenceId = events[0]?.metadata.licenceId ?? '';
    const own = events.filter(({ stream }) => stream.includes(`-${licenceId}~`));
    const seals: StoredSeal[] = [];
    for (const total of sealed) {
      const last = seals.at(-1)?.seal ?? null;
      const part = own.slice(last?.total ?? 0, total);
      const end = part.at(-1);
      if (end === undefined) throw new Error('Nothing to seal');
      const seal = testKey.sign({
        format: 'zakup-seal-2',
        licenceId,
        number: seals.length + 1,
        total,
        count: part.length,
        firstEventId: part[0]?.id ?? '',
        lastEventId: end.id,
        chain: chainOver(last?.chain ?? chainStart(licenceId), testSalt, part),
        previous: last === null ? noSeal : hashOfSeal(last),
        sealedAt: end.recordedAt,
      });
      seals.push({ seal, position: end.position, stream: end.stream, revision: end.revision });
    }
    const pages = async function* (): AsyncGenerator<readonly RecordedEvent[]> {
      yield own;
    };
    const text: string[] = [];
    const options = { licenceId, keys: [testKey], seals, events: pages(), saltKey: testSalt, isShown };
    for await (const piece of bundleText(options)) text.push(piece);
    const file = join(dir, `${own.length}-${sealed.join('-')}.ndjson`);
    writeFileSync(file, text.join(''));
    return { file, count: own.length };
  };
  const run = (words: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...words], { encoding: 'utf8', env: {} });
    return { status, stdout, stderr };
  };

  test('MGR-2954 prints sums and earnings behind a check that passed, as text and as JSON, and none behind one that failed', async () => {
    const events = ownTermsLog();
    const licenceId = events[0]?.metadata.licenceId ?? '';
    const own = events.filter(({ stream }) => stream.includes(`-${licenceId}~`)).length;
    const { file } = await writeBundle(events, [3, own]);
    const text = run([file, testKey.fingerprint, '--recompute']);
    expect(text).toMatchObject({ status: 0, stderr: '' });
    expect(text.stdout).toContain('Пересчитано по событиям выгрузки:\nКампания «');
    expect(text.stdout).toContain('Заработок по людям, все кампании:');
    const json = run([file, testKey.fingerprint, '--recompute', '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({
      ok: true,
      keyNamed: true,
      seals: 2,
      exitCode: 0,
      problem: null,
      figures: { campaigns: expect.any(Array) as unknown, people: expect.any(Array) as unknown },
    });
    const wrongKey = run([file, '0'.repeat(64), '--recompute']);
    expect(wrongKey.status).toBe(1);
    expect(wrongKey.stdout).not.toContain('Пересчитано');
  });

  test('MGR-2955 ends with 4 where the last seal is older than asked for, with 3 and a word where sums hold events without a seal, with 5 where nothing could be recomputed', async () => {
    const events = ownTermsLog();
    const { file, count } = await writeBundle(events, [2, 4]);
    const atLeast = (number: string) => run([file, testKey.fingerprint, '--at-least-seal', number, '--recompute']);
    expect(atLeast('2').status).toBe(3);
    expect(atLeast('2').stdout).toContain(`вместе с неудостоверенными (${count - 4})`);
    expect(atLeast('3').status).toBe(4);
    expect(atLeast('3').stdout).toContain('УСТАРЕЛА: последняя печать № 2, а нужна не раньше № 3.');
    for (const wrong of ['0', 'two', '']) expect(atLeast(wrong).status).toBe(2);
    expect(run([file, testKey.fingerprint, '--recount']).status).toBe(2);
    const dark = await writeBundle(events, [count], (_, part) => part !== 'data.price');
    const unknown = run([dark.file, testKey.fingerprint, '--recompute']);
    expect(unknown).toMatchObject({ status: 5 });
    expect(unknown.stdout).toContain('Суммы не пересчитаны: значение price скрыто или его нет.');
  });
});
