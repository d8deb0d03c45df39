import { act, render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { ConflictNotice } from '../form/conflict-notice.tsx';
import type { EntityForm } from '../form/use-entity-form.ts';
import { memoryEntryStore } from '../outbox/entry-store.ts';
import { openOutbox } from '../outbox/outbox.ts';
import { OutboxProvider } from '../outbox/outbox-context.tsx';
import { memoryReplica } from '../replica/replica.ts';
import { SlotOutlet, SlotProvider } from '../ui/slots.tsx';
import type { Live } from './live.ts';
import { LiveProvider } from './live-context.tsx';
import { LiveStatus } from './live-status.tsx';

const none = (): void => undefined;
const status = { state: 'online', announced: false, dataAt: 0 } as const;
const live: Live = {
  start: none,
  stop: none,
  hold: () => none,
  retryNow: none,
  renew: none,
  status: () => status,
  scopeStatus: () => ({ kind: 'ready' }),
  present: none,
  people: () => [],
  subscribe: () => none,
};
const form = (conflict: EntityForm['conflict']): EntityForm => ({
  values: {},
  text: () => '',
  flag: () => false,
  set: none,
  error: () => undefined,
  problem: null,
  conflict,
  conflictReady: true,
  busy: false,
  dirty: true,
  refusals: 0,
  submit: none,
  takeTheirs: none,
  keepMine: none,
  reset: none,
});

/** The frame with one form in it; the server refuses whatever is sent. */
const frame = async () => {
  const outbox = await openOutbox({
    store: memoryEntryStore(),
    transport: { send: () => Promise.resolve({ kind: 'rejected', code: 'NOT_FOUND', reason: 'Не найдено' }) },
    replica: memoryReplica(),
    newId: () => 'command',
    clock: { now: () => 0, setTimeout: () => null, clearTimeout: none },
    chance: () => 1,
    tabs: null,
    election: (lead) => {
      lead();
      return none;
    },
  });
  const tree = (conflict: EntityForm['conflict']) => (
    <OutboxProvider value={outbox}>
      <LiveProvider value={live}>
        <SlotProvider>
          <SlotOutlet name="status-right" />
          <LiveStatus />
          <ConflictNotice form={form(conflict)} label={String} show={(_, value) => String(value)} />
        </SlotProvider>
      </LiveProvider>
    </OutboxProvider>
  );
  const { rerender } = render(tree(null));
  return { outbox, show: (conflict: EntityForm['conflict']) => rerender(tree(conflict)) };
};
const saved = () => screen.queryByText('Все изменения сохранены');

it('LS-1 while a form waits for a choice, nothing is called saved', async () => {
  const { show } = await frame();
  expect(saved()).not.toBeNull();
  show({ conflicts: [], revision: 2 });
  expect(saved()).toBeNull();
  expect(screen.getByText('Ждут вас: 1')).toBeDefined();
  show(null);
  expect(saved()).not.toBeNull();
});

it('LS-2 while a refused change waits, nothing is called saved', async () => {
  const { outbox } = await frame();
  act(() => {
    outbox.issue({
      target: { kind: 'placement', id: 'p1' },
      method: 'PATCH',
      path: '/api/placements/p1',
      body: { price: 1 },
      baseRevision: 1,
      predicted: { price: 1 },
      label: 'Цена',
      scope: 'campaign:c',
    });
  });
  expect(await screen.findByText('Ждут вас: 1')).toBeDefined();
  expect(saved()).toBeNull();
  act(() => outbox.dismiss('command'));
  expect(saved()).not.toBeNull();
});
