import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect, it, onTestFinished, vi } from 'vitest';
import { type ConflictForm, ConflictNotice } from '../form/conflict-notice.tsx';
import { FormProblem } from '../form/form-problem.tsx';
import { memoryEntryStore } from '../outbox/entry-store.ts';
import { openOutbox } from '../outbox/outbox.ts';
import { OutboxProvider } from '../outbox/outbox-context.tsx';
import { MemoryRouter, useLocation } from 'react-router-dom';
import { memoryReplica } from '../replica/replica.ts';
import { ReplicaProvider } from '../replica/replica-context.tsx';
import { useOnOpenNotifications } from './notifications-opener.ts';
import type { Transport } from '../outbox/transport.ts';
import { toastStore } from '../toasts/toasts.ts';
import { SlotOutlet, SlotProvider } from '../ui/slots.tsx';
import type { ConnectionStatus, Live } from './live.ts';
import { LiveProvider } from './live-context.tsx';
import { LiveStatus } from './live-status.tsx';

const none = (): void => undefined;
const status: ConnectionStatus = { state: 'online', announced: false, dataAt: 0 };
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
  authorOf: () => null,
  subscribe: () => none,
};
const form = (conflict: ConflictForm['conflict']): ConflictForm => ({
  conflict,
  conflictReady: true,
  busy: false,
  takeTheirs: none,
  keepMine: none,
});

const refuse: Transport['send'] = () => Promise.resolve({ kind: 'rejected', code: 'NOT_FOUND', reason: 'Не найдено' });

/** Where the person is, and at what the notifications were opened. */
const Around = ({ onOpened }: { readonly onOpened: (entryId: string | null) => void }) => {
  const { pathname, search } = useLocation();
  useOnOpenNotifications(onOpened);
  return <output aria-label="Адрес">{pathname + search}</output>;
};

/** The frame with one form in it; the server refuses whatever is sent unless it does something else. */
const frame = async (send = refuse, line = live) => {
  let count = 0;
  const outbox = await openOutbox({
    personId: 'anna',
    store: memoryEntryStore(),
    transport: { send },
    replica: memoryReplica(),
    newId: () => `command-${(count += 1)}`,
    clock: { now: () => 0, setTimeout: () => null, clearTimeout: none },
    chance: () => 1,
    tabs: null,
    election: (lead) => {
      lead();
      return none;
    },
  });
  const opened: { times: number; readonly at: (string | null)[] } = { times: 0, at: [] };
  const onOpened = (entryId: string | null): void => {
    opened.times += 1;
    opened.at.push(entryId);
  };
  const tree = (conflict: ConflictForm['conflict'], refusal: string | null) => (
    <MemoryRouter>
      <ReplicaProvider value={memoryReplica()}>
        <OutboxProvider value={outbox}>
          <LiveProvider value={line}>
            <SlotProvider>
              <SlotOutlet name="banner" />
              <SlotOutlet name="status-right" />
              <LiveStatus />
              <Around onOpened={onOpened} />
              <FormProblem text={refusal} />
              <ConflictNotice form={form(conflict)} label={String} show={(_, value) => String(value)} />
            </SlotProvider>
          </LiveProvider>
        </OutboxProvider>
      </ReplicaProvider>
    </MemoryRouter>
  );
  const { rerender } = render(tree(null, null));
  const address = () => screen.getByLabelText('Адрес').textContent;
  return {
    outbox,
    opened,
    address,
    show: (conflict: ConflictForm['conflict'], refusal: string | null = null) => rerender(tree(conflict, refusal)),
  };
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
      label: 'Цена',
      scope: 'campaign:c',
    });
  });
  expect(await screen.findByText('Ждут вас: 1')).toBeDefined();
  expect(saved()).toBeNull();
  act(() => outbox.dismiss('command-1'));
  expect(saved()).not.toBeNull();
});

it('LS-1120 what waits for a choice is led to from any screen: a form first, a row of another campaign by its address, else the notifications', async () => {
  const { outbox, show, opened, address } = await frame();
  const issue = (kind: 'placement' | 'channel', id: string): void =>
    void outbox.issue({
      target: { kind, id },
      method: 'PATCH',
      path: `/api/${kind}/${id}`,
      body: { price: 1 },
      baseRevision: 1,
      label: 'Цена',
      scope: kind === 'placement' ? 'campaign:other' : 'workspace',
    });
  act(() => {
    issue('placement', 'p1');
    issue('channel', 'k1');
  });
  const press = async (count: number) =>
    fireEvent.click(await screen.findByRole('button', { name: `Ждут вас: ${count}` }));
  show({ conflicts: [], revision: 2 });
  await press(3);
  expect(document.activeElement?.textContent).toBe('Взять новое');
  show(null);
  await press(2);
  expect(address()).toBe('/dashboard?campaign=other');
  expect(opened.times).toBe(0);
  await press(2);
  expect(opened.times).toBe(1);
});

it('LS-1200 a refusal that stands in an open form is led to, and what waits elsewhere with the next press, each at its own line', async () => {
  const { outbox, show, opened } = await frame();
  const issue = (kind: 'channel' | 'creative', id: string): string =>
    outbox.issue({
      target: { kind, id },
      method: 'PUT',
      path: `/api/${kind}s/${id}`,
      body: { name: 'Дача' },
      baseRevision: 1,
      label: 'Название',
      scope: 'workspace',
    });
  const ids: string[] = [];
  act(() => void ids.push(issue('channel', 'k1'), issue('creative', 'c1')));
  show(null, 'Такой канал уже есть');
  const button = await screen.findByRole('button', { name: 'Ждут вас: 3' });
  fireEvent.click(button);
  expect(document.activeElement?.textContent).toBe('Такой канал уже есть');
  expect(opened.at).toEqual([]);
  fireEvent.click(button);
  fireEvent.click(button);
  expect(opened.at).toEqual(ids);
  fireEvent.click(button);
  expect(document.activeElement?.textContent).toBe('Такой канал уже есть');
});

it('LS-3 a batch of changes is announced once, when the last of them is saved', async () => {
  const answers: (() => void)[] = [];
  const { outbox } = await frame(
    () => new Promise((resolve) => answers.push(() => resolve({ kind: 'accepted', position: 1, revision: 2 }))),
  );
  const before = toastStore.announced();
  const said = new Set<string | undefined>();
  const stop = toastStore.subscribe(() => said.add(JSON.stringify(toastStore.announced())));
  act(() => {
    for (const id of ['p1', 'p2', 'p3', 'p4'])
      outbox.issue({
        target: { kind: 'placement', id },
        method: 'PATCH',
        path: `/api/placements/${id}`,
        body: { price: 1 },
        baseRevision: 1,
        label: 'Цена',
        scope: 'campaign:c',
      });
  });
  await waitFor(() => expect(answers.length).toBe(4));
  for (const [index, answer] of answers.entries()) {
    await waitFor(() =>
      expect(outbox.entries().filter(({ state }) => state.kind === 'pending')).toHaveLength(4 - index),
    );
    expect(toastStore.announced()).toBe(before);
    act(answer);
  }
  await waitFor(() => expect(saved()).not.toBeNull());
  expect(toastStore.announced()?.text).toBe('Изменения сохранены');
  expect(said.size).toBe(1);
  stop();
});

it('LS-1523 a lost line says when it is tried again, counted down by the second, which is read to nobody', async () => {
  vi.useFakeTimers({ now: 60_000, toFake: ['Date', 'setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  let lost: ConnectionStatus = { state: 'offline', announced: true, dataAt: 30_000, retryAt: 64_200 };
  const listeners = new Set<() => void>();
  const tried: number[] = [];
  await frame(refuse, {
    ...live,
    status: () => lost,
    retryNow: () => tried.push(Date.now()),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  });
  const told = screen.getByText(/^Повтор через/u);
  const said = (): string => (told.textContent ?? '').replaceAll('\u00a0', ' ');
  expect(said()).toBe('Повтор через 5 с');
  const counted = [1, 2, 3, 4, 5].map(() => {
    act(() => void vi.advanceTimersByTime(1000));
    return said();
  });
  expect(counted).toEqual([4, 3, 2, 1, 1].map((seconds) => `Повтор через ${seconds} с`));
  act(() => {
    lost = { state: 'offline', announced: true, dataAt: 30_000 };
    for (const listener of listeners) listener();
  });
  expect(said()).toBe('Подключение…');
  expect(told.closest('[role="alert"]'), 'no live region around it').toBeNull();
  expect(told.getAttribute('aria-hidden')).toBe('true');
  expect(screen.getByRole('alert').textContent).toContain('Нет связи, изменения будут отправлены.');
  fireEvent.click(screen.getByRole('button', { name: 'Повторить сейчас' }));
  expect(tried).toHaveLength(1);
});
