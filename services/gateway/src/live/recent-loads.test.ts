import type { ReadStore } from '@zakup/read-store/read-store';
import { afterEach, describe, expect, test } from 'vitest';
import { readGuard } from '../http/limits/read-guard.ts';
import { handTime } from '../testing/hand-time.ts';
import { campaignRow, docOf, placementRow } from '../testing/rows.ts';
import { licenceId, startWorld, type World } from '../testing/world.ts';
import { longShared, recentLoads, roomForLoads, shared } from './recent-loads.ts';

const doc = docOf(licenceId);
const scope = 'campaign:campaign';

const ofDocuments = (count: number) => ({ docs: Array.from({ length: count }, (_, index) => index) });

describe('loads of a scope that were made a moment ago', { timeout: 60_000 }, () => {
  let world: World | null = null;
  afterEach(async () => {
    await world?.stop();
    world = null;
  });

  /** `read`: how often the whole scope was read. */
  const begun = async (placements: number) => {
    let read = 0;
    const time = handTime();
    const over = (store: ReadStore): ReadStore => ({
      ...store,
      changesSince(request) {
        if (request.since === undefined && request.scope === scope) read += 1;
        return store.changesSince(request);
      },
    });
    const made = await startWorld({ deps: { guard: readGuard(time) }, over });
    world = made;
    const rows = Array.from({ length: placements }, (_, index) => doc.placement(placementRow({ id: `p${index}` })));
    await made.commit(doc.campaign(campaignRow({ id: 'campaign' })), ...rows);
    const enter = async (who: string) => {
      const client = await made.connect((await made.signIn(who)).token);
      /** All of it, from the beginning. */
      const whole = async (): Promise<void> => {
        const before = client.messages.length;
        await client.subscribe(scope);
        await client.until(() => client.messages.slice(before).some(({ last }) => last));
      };
      return { client, whole };
    };
    return { made, time, enter, read: () => read };
  };

  test('LIM-1610 a long scope is read once for all who ask for it again and again, also for one who is alone; what changed is there, and after a while it is read anew', async () => {
    const { made, time, enter, read } = await begun(1_000);
    const one = await enter('owner');
    for (let asked = 0; asked < 5; asked += 1) await one.whole();
    expect(read()).toBe(1);
    const others = await Promise.all(['lead', 'lead', 'buyer'].map(enter));
    for (const other of others) await other.whole();
    expect(read()).toBe(1);
    const position = await made.commit(doc.placement(placementRow({ id: 'p7', leads: 77 })));
    await one.client.until(() => (one.client.replica(scope).position ?? 0) >= position);
    await one.whole();
    expect(read()).toBe(2);
    for (const { client } of [one, ...others]) {
      await client.until(() => (client.replica(scope).position ?? 0) >= position);
      expect(client.replica(scope).docs.get('placement p7')).toMatchObject({ doc: { leads: 77 } });
      expect(client.replica(scope).docs.size).toBe(1_001);
    }
    time.pass(longShared);
    await one.whole();
    expect(read()).toBe(3);
  });

  test('LIM-1611 what is kept of long ones is bounded for a licence and for all; short ones, and those for which there is no room, serve for a second', () => {
    const room = roomForLoads({ licence: 1_500, all: 2_000 });
    const time = handTime();
    const loadsOf = (licence: string, isTimeless = true) =>
      recentLoads({ room, licenceId: licence, isTimeless, timers: time.timers });
    const [first, second, third] = [loadsOf('a'), loadsOf('a'), loadsOf('b')];
    const [own, brief] = [loadsOf('c', false), loadsOf('c')];
    first.keep('all', ofDocuments(1_000));
    second.keep('all', ofDocuments(600));
    third.keep('all', ofDocuments(1_000));
    own.keep('all', ofDocuments(1_000));
    brief.keep('all', ofDocuments(20));
    const all = [first, second, third, own, brief];
    const kept = () => all.map((loads) => loads.get('all') !== undefined);
    expect(all.map((loads) => loads.hasLong())).toEqual([true, false, true, false, false]);
    expect(kept()).toEqual([true, true, true, true, true]);
    time.pass(shared);
    expect(kept()).toEqual([true, false, true, false, false]);
    // What takes the place of another one, or is over, leaves its room to others.
    first.keep('all', ofDocuments(500));
    second.keep('all', ofDocuments(500));
    expect(second.hasLong()).toBe(true);
    third.forget(() => true);
    brief.keep('all', ofDocuments(1_000));
    expect(brief.hasLong()).toBe(true);
    time.pass(longShared);
    expect(kept()).toEqual([false, false, false, false, false]);
  });
});
