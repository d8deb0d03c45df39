import type { SearchHit } from '@zakup/contracts/calls/replies';
import { kopecks } from '@zakup/domain/money';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { campaignRow, channelRow, contractorRow, creativeRow, docOf, placementRow, userRow } from '../testing/rows.ts';
import { licenceId, startWorld, type World } from '../testing/world.ts';
import { wantedWords } from './search-words.ts';

const doc = docOf(licenceId);
const foreignDoc = docOf('0b-foreign');

describe('the palette', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
    await world.commit(
      doc.channel(channelRow({ id: 'ch-music', name: 'Чёрная музыка' })),
      doc.channel(channelRow({ id: 'ch-cats', name: 'Коты' })),
      doc.campaign(campaignRow({ id: 'spring', name: 'Весна | Мемы', channelId: 'ch-cats' })),
      doc.campaign(campaignRow({ id: 'autumn', name: 'Осень', channelId: 'ch-music', status: 'COMPLETED' })),
      doc.contractor(
        contractorRow({ id: 'c-kot', nick: 'kot_media', adminUsername: '@Kot_Media', channelName: 'Всё о котах' }),
      ),
      doc.contractor(contractorRow({ id: 'c-cat', nick: 'mediakot', adminUsername: '@mediakot', channelName: 'Юмор' })),
      doc.contractor(
        contractorRow({
          id: 'c-now',
          nick: 'nowname',
          adminUsername: '@nowname',
          channelName: 'X',
          received: [{ contractorId: 'c-old', nicks: ['oldname'] }],
        }),
      ),
      doc.contractor(
        contractorRow({
          id: 'c-auto',
          nick: 'auto_nick',
          adminUsername: '@auto_nick',
          channelName: 'Чай|Кофе',
          automatic: true,
        }),
      ),
      doc.contractor(
        contractorRow({ id: 'c-typed', nick: 'typed_nick', adminUsername: '@typed_nick', channelName: 'Вкус | Цвет' }),
      ),
      doc.contractor(contractorRow({ id: 'c-gone', nick: 'gone', adminUsername: '@gone', isActive: false })),
      doc.creative(creativeRow({ id: 'cr-song', name: 'Песня года', abbreviation: 'ПГ', type: 'TEXT_WITH_VIDEO' })),
      doc.creative(creativeRow({ id: 'cr-gone', name: 'Песня прошлая', isActive: false })),
      doc.user(userRow({ id: 'u-fyodor', name: 'Фёдор Ёлкин', email: 'secret@example.org', authCode: 'TOPSECRET' })),
      ...['2026-11-01', '2026-11-09', '2026-11-05'].map((date, index) =>
        doc.placement(
          placementRow({ id: `p${index}`, campaignId: 'spring', contractorId: 'c-kot', date, price: kopecks(150_050) }),
        ),
      ),
      doc.placement(placementRow({ id: 'p-lost', campaignId: 'deleted', contractorId: 'c-kot', date: '2026-12-01' })),
      doc.gone('placement', 'p-removed', []),
      foreignDoc.campaign(campaignRow({ id: 'f-spring', name: 'Весна чужая' })),
      foreignDoc.contractor(contractorRow({ id: 'f-kot', nick: 'kot_foreign', adminUsername: '@kot_foreign' })),
    );
  });
  afterAll(() => world.stop());

  const tokenOf = async (userId: string) => (await world.signIn(userId)).token;
  const ask = async (query: Record<string, string>, userId = 'analyst') =>
    world.get(`/search?${new URLSearchParams(query).toString()}`, await tokenOf(userId));
  const hits = async (q: string, limit?: number): Promise<readonly SearchHit[]> => {
    const { status, body } = await ask({ q, ...(limit !== undefined && { limit: String(limit) }) });
    expect(status).toBe(200);
    return body.data['hits'] as readonly SearchHit[];
  };
  const ids = async (q: string, limit?: number) => (await hits(q, limit)).map(({ id }) => id);

  test('SRCH-1 tells what each hit is, what to show of it and where it leads', async () => {
    expect(await hits('весна')).toEqual([
      {
        kind: 'campaign',
        id: 'spring',
        title: 'Весна - Мемы',
        subtitle: 'Коты · Активная',
        campaignId: 'spring',
        channelId: 'ch-cats',
        contractorId: null,
      },
    ]);
    expect((await hits('чёрная')).map(({ kind, id, channelId }) => [kind, id, channelId])).toEqual([
      ['channel', 'ch-music', 'ch-music'],
      ['campaign', 'autumn', 'ch-music'],
    ]);
    expect((await hits('года'))[0]).toMatchObject({ kind: 'creative', title: 'Песня года', subtitle: 'Текст с видео' });
    expect((await hits('елкин'))[0]).toMatchObject({ kind: 'person', title: 'Фёдор Ёлкин', subtitle: 'Медиа-байер' });
  });

  test('SRCH-1120 a campaign’s name is without its bar below a contractor too, a channel’s own as it was typed', async () => {
    expect((await hits('auto_nick'))[0]).toMatchObject({ title: '@auto_nick', subtitle: 'Чай - Кофе' });
    expect((await hits('typed_nick'))[0]).toMatchObject({ title: '@typed_nick', subtitle: 'Вкус | Цвет' });
  });

  test('SRCH-2 ignores case, a leading @, ё and what links begin with', async () => {
    for (const q of ['фЕДОР', 'Фёдор', 'федор ёлкин', ' ЁЛКИН  фёд '])
      expect([q, (await hits(q)).map(({ id }) => id)]).toEqual([q, ['u-fyodor']]);
    for (const q of [
      '@KOT_MEDIA',
      'https://t.me/kot_media',
      't.me/Kot_Media?x',
      'telegram.me/kot_media',
      '＠kot_media',
    ])
      expect([q, (await ids(q))[0]]).toEqual([q, 'c-kot']);
    expect(wantedWords('https://t.me/@Kot_Media Ёж')).toEqual(['kot', 'media', 'еж']);
  });

  test('SRCH-3 takes words in any order, the beginning of a word before its inside, a title before the rest', async () => {
    expect(await ids('мемы вес')).toEqual(['spring']);
    expect((await ids('kot')).slice(0, 1)).toEqual(['c-kot']);
    expect(await ids('kot', 1)).toEqual(['c-kot', 'p1']);
    expect((await hits('kot')).map(({ kind, id }) => [kind, id])).toEqual([
      ['contractor', 'c-kot'],
      ['placement', 'p1'],
      ['placement', 'p2'],
      ['placement', 'p0'],
      ['contractor', 'c-cat'],
    ]);
    expect(await ids('кот')).toEqual(['ch-cats', 'spring', 'c-kot']);
    expect(await ids('кот zzz')).toEqual([]);
  });

  test('SRCH-4 finds placements by nick, newest first, in campaigns that are there', async () => {
    const placements = (await hits('kot_media')).filter(({ kind }) => kind === 'placement');
    expect(placements.map(({ id }) => id)).toEqual(['p1', 'p2', 'p0']);
    expect(placements[0]).toEqual({
      kind: 'placement',
      id: 'p1',
      title: '@Kot_Media',
      subtitle: '9 ноября 2026 · Весна - Мемы · 1\u00a0500,50\u00a0₽',
      campaignId: 'spring',
      channelId: 'ch-cats',
      contractorId: 'c-kot',
    });
    expect((await hits('котах')).map(({ kind }) => kind)).toEqual(['contractor']);
  });

  test('SRCH-5 finds a contractor by the nick of who was merged into it; what is deactivated is not found', async () => {
    expect(await ids('oldname')).toEqual(['c-now']);
    expect(await ids('gone')).toEqual([]);
    expect(await ids('прошлая')).toEqual([]);
  });

  test('SRCH-6 never tells what the lists do not: no foreign licence, no e-mail, no code', async () => {
    for (const q of ['чужая', 'kot_foreign', 'secret', 'TOPSECRET', 'example'])
      expect([q, await ids(q)]).toEqual([q, []]);
    const closed = await world.commit(doc.user(userRow({ id: 'closed', permissions: { analytics: true } })));
    expect(closed).toBeGreaterThan(0);
    const { status, body } = await ask({ q: 'кот' }, 'closed');
    expect([status, body.code]).toEqual([403, 'ACCESS_DENIED']);
    expect((await world.get('/search?q=x')).status).toBe(401);
  });

  test('SRCH-7 answers any text: nothing for what holds no word, a refusal for what is no text or too long', async () => {
    for (const q of ['', ' ', '@', '...', '\u0000', '=', '%', '🐈', '__proto__', 'https://t.me/', "' OR 1=1 --"])
      expect([q, await ids(q)]).toEqual([q, []]);
    const { token } = await world.signIn('owner');
    expect((await world.get('/search?q=%ED%A0%80', token)).status).toBe(200);
    const wrong = [
      '',
      'q=a&q=b',
      'q[]=a',
      'q=a&limit=0',
      'q=a&limit=51',
      'q=a&limit=1e1',
      'q=a&x=1',
      `q=${'x'.repeat(5000)}`,
    ];
    for (const query of wrong) {
      const { status, body } = await world.get(`/search?${query}`, token);
      expect([query, status, body.code]).toEqual([query, 422, 'VALIDATION_FAILED']);
    }
  });
});
