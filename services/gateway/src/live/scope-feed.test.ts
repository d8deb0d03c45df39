import { declaredFields } from '@zakup/contracts/read-models';
import { testCodes } from '@zakup/credentials/testing/test-codes';
import { resolveTerms } from '@zakup/domain/analytics/earnings';
import { kopecks } from '@zakup/domain/money';
import { inMemoryReadStore } from '@zakup/read-store/in-memory';
import type { ReadStore } from '@zakup/read-store/read-store';
import { jsonLog } from '@zakup/service-kit/log';
import { expect, it } from 'vitest';
import { docOf, earningsRow, placementRow, userRow } from '../testing/rows.ts';
import type { LiveSocket } from './outgoing.ts';
import { scopeOf } from './scope.ts';
import { scopeFeed } from './scope-feed.ts';
import type { Subscription } from './subscription.ts';
import { readGuard } from '../http/limits/read-guard.ts';
import { roomForLoads } from './recent-loads.ts';
import { patchBaseCache } from './patch-base-cache.ts';

const licenceId = '1a00';
const doc = docOf(licenceId);

/** Somebody in `me`, and what their socket was sent; `earnings`: whether others' are open to them, so that their own are not shown here. */
const visitor = (earnings: boolean) => {
  const sent: string[] = [];
  const conn = { writeBuffer: [], transport: { writable: true }, write: (text: string) => sent.push(text) };
  const socket = { connected: true, conn, emit: (name: string) => sent.push(name) } as unknown as LiveSocket;
  const subscription: Subscription = {
    socket,
    view: {
      key: String(earnings),
      scope: 'me',
      people: false,
      earnings,
      termsOf: earnings ? undefined : 'ann',
      showsCode: () => false,
      codes: testCodes,
    },
    patches: false,
    extras: () => Promise.resolve([]),
    confirm: () => Promise.resolve(),
    onReset: () => undefined,
    phase: 'catching',
    position: -1,
    reaches: -1,
    began: -1,
  };
  return { sent, subscription };
};

it('LINES-3 who comes to be shown their earnings while they are read without lines gets them with lines, and no reset', async () => {
  const store = inMemoryReadStore({ declared: declaredFields });
  const commit = (position: number, drafts: readonly ReturnType<typeof doc.user>[]) =>
    store.commit({
      docs: drafts.map((draft) => draft(position)),
      checkpoint: { partition: 'all', position, fence: 1 },
    });
  await commit(1, [doc.user(userRow({ id: 'ann' }))]);
  let held: Promise<void> | null = null;
  const readStore: ReadStore = {
    ...store,
    async changesSince(request) {
      const wait = held;
      held = null;
      await wait;
      return store.changesSince(request);
    },
  };
  const feed = scopeFeed({
    deps: { readStore, partition: 'all', now: () => 0, log: jsonLog({ level: 'silent' }), guard: readGuard() },
    sent: patchBaseCache({ documents: 10, text: 10_000 }),
    room: roomForLoads({ licence: 0, all: 0 }),
    licenceId,
    scope: scopeOf('me', 'ann'),
    from: 1,
    bufferLimit: 1_000_000,
  });
  const opening = { since: undefined, rightsAt: 0, opened: () => undefined };
  const [before, after] = [visitor(true), visitor(false)];
  await feed.open(before.subscription, opening);

  let letGo = (): void => undefined;
  held = new Promise((resolve) => {
    letGo = resolve;
  });
  const reading = feed.readOn();
  await feed.open(after.subscription, opening);
  const terms = resolveTerms(null, { salaryType: 'percentage', salaryRate: 10, performanceThreshold: null });
  await commit(2, [
    doc.placement(placementRow({ id: 'p', campaignId: 'k', buyerId: 'ann', price: kopecks(100), leads: 1 })),
    doc.earnings(earningsRow({ campaignId: 'k', userId: 'ann', terms })),
  ]);
  letGo();
  const raw = await reading;
  expect(raw.position).toBe(2);
  after.sent.length = 0;
  expect(feed.deliver(raw, () => null)).toBe(false);
  expect(after.sent).toEqual([]);
  expect(feed.deliver(await feed.readOn(), () => null)).toBe(true);
  expect(after.sent).toHaveLength(1);
  expect(after.sent[0]).toContain('"counted":[{"placementId":"p"');
  expect(feed.position()).toBe(2);
});
