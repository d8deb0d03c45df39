import type { ReadStore } from '@zakup/read-store/read-store';
import { afterEach, describe, expect, test } from 'vitest';
import { limits } from '../http/limits/limits.ts';
import { type ReadGuardOptions, readGuard } from '../http/limits/read-guard.ts';
import { handTime } from '../testing/hand-time.ts';
import { liveClient, type Replica } from '../testing/live-client.ts';
import { campaignRow, docOf, placementRow } from '../testing/rows.ts';
import { licenceId, startWorld, type World } from '../testing/world.ts';

const doc = docOf(licenceId);

const until = async (is: () => boolean): Promise<void> => {
  while (!is()) await new Promise(setImmediate);
};

describe('what one person may open of live lines', { timeout: 120_000 }, () => {
  let world: World | null = null;
  afterEach(async () => {
    await world?.stop();
    world = null;
  });

  const refused = async (made: World, token: string): Promise<unknown> => {
    const client = liveClient(made.address, { token, protocolVersion: 1 }, {});
    try {
      return await new Promise((resolve) => {
        client.socket.once('connect', () => resolve(null));
        client.socket.once('connect_error', (error: Error & { data?: unknown }) => resolve(error.data));
        client.socket.connect();
      });
    } finally {
      client.close();
    }
  };

  test('LIM-1363 the thirteenth line of a person is refused in words, whatever the sessions; a colleague has their own, and one that closes makes room', async () => {
    const made = await startWorld();
    world = made;
    const sessions = await Promise.all([made.signIn('owner'), made.signIn('owner'), made.signIn('owner')]);
    const clients = [];
    for (let count = 0; count < limits.socketsOfPerson; count += 1)
      clients.push(await made.connect(sessions[count % 3]?.token ?? ''));
    const one = await made.signIn('owner');
    expect(await refused(made, one.token)).toMatchObject({
      success: false,
      code: 'RATE_LIMITED',
      error: 'Открыто слишком много вкладок. Закройте лишние',
    });
    expect(await refused(made, (await made.signIn('buyer')).token)).toBe(null);
    clients[0]?.close();
    await until(() => made.live.size() < limits.socketsOfPerson);
    expect(await refused(made, one.token)).toBe(null);
  });

  test('LIM-1364 to ask for a whole scope again and again takes of the budget; who goes on by position pays little', async () => {
    const guard = readGuard({ now: () => 0, most: { session: { perSecond: 1, burst: 25 } } });
    const made = await startWorld({ deps: { guard } });
    world = made;
    const at = await made.commit(doc.campaign(campaignRow({ id: 'campaign' })));
    const client = await made.connect((await made.signIn('owner')).token);
    const ask = (since?: number): Promise<string> =>
      new Promise((resolve) => {
        const message = { scope: 'campaign:campaign', ...(since !== undefined && { since }) };
        client.socket.emit('subscribe', message, (ack) => resolve(ack.ok ? 'ok' : ack.problem.code));
      });
    expect([await ask(), await ask(), await ask()]).toEqual(['ok', 'ok', 'RATE_LIMITED']);
    expect([await ask(at), await ask(at)]).toEqual(['ok', 'ok']);
  });

  test('LIM-1366 a line that takes nothing for thirty seconds is dropped, and comes back by position', async () => {
    let at = 0;
    const made = await startWorld({ bufferLimit: 64 * 1024, clock: () => at });
    world = made;
    await made.commit(doc.campaign(campaignRow({ id: 'campaign' })));
    const keep = new Map<string, Replica>();
    const { token } = await made.signIn('buyer');
    const slow = await made.connect(token, { keep });
    const quick = await made.connect((await made.signIn('lead')).token);
    for (const client of [slow, quick]) {
      await client.subscribe('campaign:campaign');
      await client.until(() => client.messages.length === 1);
    }
    const { transport } = slow.socket.io.engine as unknown as { transport: { ws: { pause(): void } } };
    transport.ws.pause();
    for (let round = 1; round <= 40; round += 1) {
      const placements = Array.from({ length: 100 }, (_, index) =>
        doc.placement(placementRow({ id: `p${index}`, leads: round, category: 'x'.repeat(2_000) })),
      );
      const position = await made.commit(...placements);
      await quick.until(() => (quick.replica('campaign:campaign').position ?? 0) >= position);
    }
    made.live.lookAtUnread();
    at = 29_999;
    made.live.lookAtUnread();
    expect(made.live.size()).toBe(2);
    at = 30_000;
    made.live.lookAtUnread();
    await until(() => made.live.size() === 1);
    const again = await made.connect(token, { keep });
    await again.subscribe('campaign:campaign', keep.get('campaign:campaign')?.position ?? undefined);
    await again.until(() => again.replica('campaign:campaign').position === made.head());
    expect([...again.replica('campaign:campaign').docs.keys()].toSorted()).toEqual(
      [...quick.replica('campaign:campaign').docs.keys()].toSorted(),
    );
  });

  test('LIM-1370 a line that polls and fetches nothing for thirty seconds is dropped, however lively it answers; one that fetches stays', async () => {
    let at = 0;
    const made = await startWorld({ clock: () => at });
    world = made;
    await made.commit(doc.campaign(campaignRow({ id: 'campaign' })));
    const polling = async (userId: string) => {
      const { token } = await made.signIn(userId);
      const path = `${made.address}/socket.io/?EIO=4&transport=polling`;
      const opened = await (await fetch(path)).text();
      const { sid } = JSON.parse(opened.slice(1)) as { readonly sid: string };
      const line = `${path}&sid=${sid}`;
      const post = (packet: string) => fetch(line, { method: 'POST', body: packet });
      await post(`40${JSON.stringify({ token, protocolVersion: 1 })}`);
      const taken = async (): Promise<string> => (await fetch(line)).text();
      let came = await taken();
      await post(`42["subscribe",{"scope":"campaign:campaign"}]`);
      while (!came.includes('"changes"')) came += await taken();
      return { post, taken };
    };
    const silent = await polling('buyer');
    const reader = await polling('lead');
    await until(() => made.live.size() === 2);
    for (const now of [0, 29_999, 30_000]) {
      at = now;
      const position = await made.commit(doc.campaign(campaignRow({ id: 'campaign', name: `At ${now}` })));
      let came = '';
      while (!came.includes(`"position":${position}`)) came += await reader.taken();
      // What a client says to be alive, whether it was asked or not.
      await silent.post('3');
      made.live.lookAtUnread();
      expect(made.live.size()).toBe(now < 30_000 ? 2 : 1);
    }
  });

  test('LIM-1371 whole scopes are read two at once for a licence, whoever asks for how many; the others come after them', async () => {
    let [reading, most] = [0, 0];
    let waiting: (() => void)[] = [];
    const made = await startWorld({
      deps: { guard: readGuard(handTime()) },
      over: (store) => ({
        ...store,
        async changesSince(request) {
          if (request.since !== undefined) return store.changesSince(request);
          reading += 1;
          most = Math.max(most, reading);
          await new Promise<void>((resolve) => waiting.push(resolve));
          reading -= 1;
          return store.changesSince(request);
        },
      }),
    });
    world = made;
    const ids = ['one', 'two', 'three', 'four', 'five', 'six'];
    await made.commit(...ids.map((id) => doc.campaign(campaignRow({ id }))));
    const clients = await Promise.all(
      ['owner', 'lead'].map(async (who) => made.connect((await made.signIn(who)).token)),
    );
    let open = 0;
    const asked = ids.map(async (id, index) => {
      await clients[index % 2]?.subscribe(`campaign:${id}`);
      open += 1;
    });
    while (open < ids.length) {
      await new Promise(setImmediate);
      if (reading < Math.min(limits.scopesAtOnce, ids.length - open)) continue;
      const [next] = waiting;
      waiting = waiting.slice(1);
      next?.();
    }
    await Promise.all(asked);
    expect(most).toBe(limits.scopesAtOnce);
  });

  /** Reads of whole scopes wait from when it is said. */
  const heldScopes = () => {
    let isHeld = false;
    let waiting: (() => void)[] = [];
    return {
      over: (store: ReadStore): ReadStore => ({
        ...store,
        async changesSince(request) {
          if (isHeld && request.scope.startsWith('campaign:')) await new Promise<void>((go) => waiting.push(go));
          return store.changesSince(request);
        },
      }),
      reading: () => waiting.length,
      hold: () => {
        isHeld = true;
      },
      letGo: () => {
        isHeld = false;
        for (const go of waiting) go();
        waiting = [];
      },
    };
  };

  const ids = ['one', 'two', 'three', 'four', 'five'];
  const scopesOf = async (options: ReadGuardOptions) => {
    const held = heldScopes();
    const made = await startWorld({ deps: { guard: readGuard(options) }, over: held.over });
    world = made;
    await made.commit(...ids.map((id) => doc.campaign(campaignRow({ id }))));
    const client = await made.connect((await made.signIn('owner')).token);
    const ask = async (id: string, since?: number): Promise<string> => {
      const answer = await client.subscribe(`campaign:${id}`, since);
      return answer.ok ? 'ok' : `${answer.problem.code} ${answer.problem.error}`;
    };
    return { ...held, made, client, ask };
  };
  const later = 'RATE_LIMITED Ваша команда открывает сейчас слишком много сразу. Повторите через несколько секунд';

  test('LIM-1374 a whole scope that waits too long for its turn is refused so that the client comes again, as is one for which there is no room to wait; the line stays, and who comes again has it', async () => {
    const time = handTime();
    const { client, ask, hold, letGo, reading } = await scopesOf({ ...time, most: { scopesWaiting: 2 } });
    hold();
    const [one, two, three, four] = ids.slice(0, 4).map((id) => ask(id));
    await until(() => reading() === limits.scopesAtOnce && time.waiting(limits.longPatience) === 2);
    expect(await ask('five')).toBe(later);
    time.pass(limits.longPatience);
    expect(await Promise.all([three, four])).toEqual([later, later]);
    letGo();
    expect(await Promise.all([one, two])).toEqual(['ok', 'ok']);
    expect(await Promise.all(['three', 'four', 'five'].map((id) => ask(id)))).toEqual(['ok', 'ok', 'ok']);
    await client.until(() => ids.every((id) => client.replica(`campaign:${id}`).docs.size === 1));
    expect(client.ended).toEqual([]);
  });

  test('LIM-1375 who begins far behind waits and pays as for the whole scope; who is nearly there does neither', async () => {
    const time = handTime();
    const most = { scopesWaiting: 0, session: { perSecond: 1, burst: 34 } };
    const { made, ask, hold, letGo, reading } = await scopesOf({ ...time, most });
    const at = await made.commitAt(limits.farBehind * 2, [doc.campaign(campaignRow({ id: 'five', name: 'Five' }))]);
    hold();
    const begun = [ask('one', 3), ask('two', 3)];
    await until(() => reading() === limits.scopesAtOnce);
    expect(await ask('three', 3)).toBe(later);
    const near = [ask('four', at), ask('five', at - 1)];
    await until(() => reading() === limits.scopesAtOnce + 2);
    letGo();
    expect(await Promise.all([...begun, ...near])).toEqual(['ok', 'ok', 'ok', 'ok']);
    // Three times what a whole scope costs were paid, and twice that of a plain read.
    expect(await ask('one', at)).toBe('ok');
    expect(await ask('one', 3)).toBe('RATE_LIMITED Слишком много запросов подряд. Повторите через несколько секунд');
  });

  test('LV-2452 who names a position that nothing has reached waits and pays as for the whole scope', async () => {
    const most = { scopesWaiting: 0, session: { perSecond: 1, burst: 4 * limits.scopeCost } };
    const { ask, hold, letGo, reading } = await scopesOf({ ...handTime(), most });
    hold();
    const begun = [ask('one'), ask('two', 1e9)];
    await until(() => reading() === limits.scopesAtOnce);
    expect(await ask('three', 1e9)).toBe(later);
    letGo();
    expect(await Promise.all(begun)).toEqual(['ok', 'ok']);
    expect(await ask('three', 1e9)).toBe('ok');
    expect(await ask('four', 1e9)).toBe('RATE_LIMITED Слишком много запросов подряд. Повторите через несколько секунд');
  });
});
