import { sampleEvent } from '@zakup/event-store/contract-suite';
import { inMemoryEventStore } from '@zakup/event-store/in-memory';
import type { LicenceRow } from '@zakup/contracts/read-models';
import { kopecks } from '@zakup/domain/money';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  campaignRow,
  channelRow,
  contractorRow,
  creativeRow,
  docOf,
  licenceRow,
  noteRow,
  placementRow,
  userRow,
} from '../testing/rows.ts';
import { unzipped } from '../testing/unzipped.ts';
import { licenceId, startWorld, type World } from '../testing/world.ts';

const doc = docOf(licenceId);
const foreignDoc = docOf('0b-foreign');

describe('all data of a licence as a file', () => {
  let world: World;
  const eventStore = inMemoryEventStore({ clock: () => 0 });
  beforeEach(async () => {
    world = await startWorld({ deps: { eventStore } });
    const event = (index: number) => sampleEvent(licenceId, 'EmployeeCodeReissued', { authCode: `SECRET${index}` });
    const others = Array.from({ length: 1202 }, (_, index) => event(index + 1));
    if ((await eventStore.head()) === 0)
      await eventStore.append([
        { stream: `employee-${licenceId}~1`, expectedRevision: 'no_stream', events: [event(0), ...others] },
        // Named after the hash of a code, from which a short one could be found by trying.
        {
          stream: 'authcode-77~77',
          expectedRevision: 'no_stream',
          events: [sampleEvent(licenceId, 'ValueClaimed', { holder: { licenceId, id: '1' } })],
        },
      ]);
    await world.commitAt((await eventStore.head()) + 1, [
      doc.license(licenceRow({ id: licenceId, teamName: 'Команда: «Кот»' })),
      doc.channel(channelRow({ id: 'channel', name: '=Канал' })),
      doc.campaign(
        campaignRow({
          id: 'campaign',
          name: 'Весна | Мемы',
          participants: [
            { userId: 'buyer', budget: kopecks(100), salaryType: 'budget', salaryRate: 5, cplThreshold: null },
          ],
        }),
      ),
      doc.creative(creativeRow({ id: 'cat', isActive: false })),
      doc.contractor(
        contractorRow({
          id: 'kot',
          adminUsername: '@Kot',
          isActive: false,
          verdict: { list: 'black', reason: '=Не вернул предоплату' },
        }),
      ),
      doc.note(noteRow({ id: 'note', contractorId: 'kot', note: 'две\nстроки' })),
      ...Array.from({ length: 1100 }, (_, index) =>
        doc.placement(placementRow({ id: `p${index}`, contractorId: 'kot', creativeId: 'cat', price: kopecks(150) })),
      ),
      foreignDoc.campaign(campaignRow({ id: 'foreign-campaign' })),
      foreignDoc.user(userRow({ id: 'foreign-person' })),
    ]);
  });
  afterEach(() => world.stop());

  const got = async (userId = 'owner', query = '') => {
    const { token } = await world.signIn(userId);
    const response = await fetch(`${world.address}/api/license/export${query}`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
  };
  const files = async (): Promise<(name: string) => string> => {
    const all = await unzipped((await got()).bytes);
    return (name) => all.get(name) ?? '';
  };
  const lines = (text: string): readonly Record<string, unknown>[] =>
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  test('EXP-30 has everything of the licence as NDJSON and CSV, and says in Russian what is what', async () => {
    const { status, headers, bytes } = await got();
    expect([status, headers.get('content-type'), headers.get('content-disposition')]).toEqual([
      200,
      'application/zip',
      `attachment; filename="zakup.zip"; filename*=UTF-8''${encodeURIComponent('Zakup - Команда «Кот».zip')}`,
    ]);
    const names = [...(await unzipped(bytes)).keys()];
    const kinds = ['channels', 'campaigns', 'creatives', 'contractors', 'notes', 'people', 'placements'];
    expect(names).toEqual([
      'README.txt',
      'license.json',
      ...kinds.flatMap((kind) => [`${kind}.ndjson`, `${kind}.csv`]),
      'history.ndjson',
    ]);
    const readme = (await files())('README.txt');
    for (const name of names.filter((one) => one !== 'README.txt')) expect(readme).toContain(name);
  });

  test('EXP-31 has each thing once, as the calls answer it, names for ids in the tables', async () => {
    const file = await files();
    const placements = lines(file('placements.ndjson'));
    expect(new Set(placements.map(({ id }) => id)).size).toBe(1100);
    expect(placements[0]).toMatchObject({ price: 1.5, contractorId: 'kot' });
    expect(file('placements.csv').split('\r\n')).toHaveLength(1102);
    expect(file('placements.csv').split('\r\n')[1]).toBe(
      "21.11.2026;Весна - Мемы;'@Kot;1,50;0;;Creative cat;Мемы;1/24;Person buyer;не оплачено;Ожидает;p0;;",
    );
    expect(lines(file('campaigns.ndjson'))).toMatchObject([
      { id: 'campaign', participants: [{ budget: 1, salaryRate: 5 }] },
    ]);
    expect(file('contractors.csv')).toContain("нет;Чёрный список;'=Не вернул предоплату;");
    expect(lines(file('contractors.ndjson'))).toMatchObject([
      { verdict: { list: 'black', reason: '=Не вернул предоплату' } },
    ]);
    expect(file('channels.csv')).toContain("channel;'=Канал;");
    expect(file('creatives.csv')).toContain('cat;Creative cat;;Текст;;нет;');
    expect(file('notes.csv')).toContain('note;\'@Kot;"две\nстроки";Owner;');
    expect(lines(file('notes.ndjson'))).toHaveLength(1);
  });

  test('EXP-32 has the whole history in the order of the log, and never a code, what a code could be found from, a key or another licence', async () => {
    const file = await files();
    const history = lines(file('history.ndjson'));
    expect(history.map(({ revision }) => revision)).toEqual(Array.from({ length: 1203 }, (_, index) => index));
    expect(history[0]).toMatchObject({ type: 'EmployeeCodeReissued', data: { authCode: null }, position: 1 });
    const people = lines(file('people.ndjson'));
    expect(people.map(({ id }) => String(id)).toSorted()).toEqual(['analyst', 'buyer', 'lead', 'owner']);
    expect(people.every((person) => !('authCode' in person) && 'email' in person)).toBe(true);
    const everything = [...(await unzipped((await got()).bytes)).values()].join('');
    for (const secret of ['SECRET', 'CODEbuyer', 'AAAA-BBBB', 'ABCDEFGHJKLM', 'foreign', 'authcode-'])
      expect(everything).not.toContain(secret);
  });

  test('EXP-33 is the owner’s alone, also when the licence is expired, suspended or closed', async () => {
    for (const userId of ['lead', 'buyer', 'analyst']) {
      const { status, bytes } = await got(userId);
      expect([status, (JSON.parse(bytes.toString()) as { code: string }).code]).toEqual([403, 'ACCESS_DENIED']);
    }
    const past = '2020-01-01T00:00:00.000Z';
    const states: readonly Partial<LicenceRow>[] = [
      { expiresAt: past, graceUsed: true },
      { suspended: { reason: 'Не оплачено', at: past } },
      { closing: { requestedAt: past, closesAt: past, reason: '' } } as Partial<LicenceRow>,
    ];
    for (const state of states) {
      await world.commit(doc.license(licenceRow({ id: licenceId, ...state })));
      expect([state, (await got()).status]).toEqual([state, 200]);
    }
    expect((await got('owner', '?x=1')).status).toBe(422);
    expect((await world.get('/license/export')).status).toBe(401);
  });
});
