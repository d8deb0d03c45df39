import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { useLocation } from 'react-router-dom';
import { messages } from '@zakup/domain/messages';
import { describe, expect, it } from 'vitest';
import { memoryEntryStore } from '../outbox/entry-store.ts';
import { openOutbox } from '../outbox/outbox.ts';
import { OutboxProvider, useOutbox } from '../outbox/outbox-context.tsx';
import { memoryReplica } from '../replica/replica.ts';
import { useDocs } from '../replica/replica-context.tsx';
import { useScope } from '../live/live-context.tsx';
import { type Answer, type Call, stage } from '../testing/stage.tsx';
import { PastButton } from './past-button.tsx';
import { PastHost } from './past-host.tsx';
import { pastOutbox } from './past-outbox.ts';
import { TimeBar } from './time-bar.tsx';

const events = [1, 2, 3, 5, 6, 9].map((position) => ({ position, at: `2026-11-0${position}T09:00:0${position}.000Z` }));
const days = [
  { day: '2026-11-01', count: 3, first: 1, last: 3 },
  { day: '2026-11-05', count: 2, first: 5, last: 6 },
  { day: '2026-11-09', count: 1, first: 9, last: 9 },
];
/** A time is that of event 5. */
const positionOf = (at: string | null): number => (at?.includes('T') === true ? 5 : Number(at));

const history =
  (added = 0) =>
  ({ path }: Pick<Call, 'path'>): Answer => {
    const { pathname, searchParams } = new URL(path, 'http://here');
    const position = positionOf(searchParams.get('at'));
    switch (pathname) {
      case '/api/channels':
        return { data: { channels: [{ id: 'ch', name: `Канал на событии ${position}` }] }, position };
      case '/api/timeline': {
        const index = events.findIndex((event) => event.position === Number(searchParams.get('around')));
        const [at = null, previous = null, next = null] = [events[index], events[index - 1], events[index + 1]];
        const shown = days.map((day, place) => (place === 2 ? { ...day, count: 1 + added, last: 9 + added } : day));
        return { data: { days: shown, at, previous, next }, position: 9 + added };
      }
      default:
        return { data: { campaigns: [], creatives: [], contractors: [], users: [] }, position };
    }
  };

const Screen = () => {
  useScope('workspace');
  const { search } = useLocation();
  const names = useDocs('channel').map(({ name }) => name);
  return (
    <>
      <p>{names.join(', ')}</p>
      <p>{useOutbox() === pastOutbox ? 'ничего не изменить' : 'можно менять'}</p>
      <output aria-label="Адрес">{search}</output>
      <PastButton campaignId={null} />
    </>
  );
};

const setUp = async (address: string, serve: (call: Call) => Answer | Promise<Answer> = history()) => {
  const outbox = await openOutbox({
    personId: 'anna',
    store: memoryEntryStore(),
    transport: { send: () => new Promise<never>(() => undefined) },
    replica: memoryReplica(),
    newId: () => 'id',
    clock: { now: () => 0, setTimeout: () => null, clearTimeout: () => undefined },
    chance: () => 1,
    tabs: null,
    election: () => () => undefined,
  });
  const set = stage({
    element: (
      <OutboxProvider value={outbox}>
        <PastHost>
          <TimeBar escape />
          <Screen />
        </PastHost>
      </OutboxProvider>
    ),
    docs: { workspace: [['channel', { id: 'ch', name: 'Канал сейчас' } as { id: string }]] },
    address,
    serve,
  });
  await screen.findByLabelText('Адрес');
  return set;
};
const address = (): string | null => screen.getByLabelText('Адрес').textContent;
const shows = (position: number) => screen.findByText(`Канал на событии ${position}`);
/** The bar with its track, once the neighbours of the moment are known. */
const settled = async (position: number): Promise<HTMLElement> => {
  await shows(position);
  await screen.findByText(`Как было ${position} ноября, 12:00:0${position}`);
  return screen.findByRole('slider', { name: 'Момент' });
};

describe('another moment', () => {
  it('WLO-60 «Как было» goes to the end of the log, says so, changes nothing and stands in the address', async () => {
    const { user } = await setUp('/dashboard');
    expect(screen.getByText('Канал сейчас')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Как было' }));
    await settled(1);
    expect(address()).toBe('?at=1');
    expect(screen.getByText('только чтение · событие 1 из 9')).toBeDefined();
    expect(screen.getByText('ничего не изменить')).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Как было' })).toBeNull();
    expect(document.documentElement.dataset['past']).toBe('');
  });

  it('WLO-66 the keyboard goes on at the slider for whoever pressed «Как было», and stays where it is where an address was opened', async () => {
    const { user } = await setUp('/dashboard');
    await user.click(screen.getByRole('button', { name: 'Как было' }));
    const slider = await settled(1);
    expect(document.activeElement).toBe(slider);
    await user.keyboard('{End}');
    await settled(9);
    cleanup();
    const opened = await setUp('/dashboard?at=6');
    await settled(6);
    expect(document.activeElement).toBe(document.body);
    await opened.user.click(screen.getByRole('button', { name: /^Сейчас/u }));
    await opened.user.click(await screen.findByRole('button', { name: 'Как было' }));
    expect(document.activeElement).toBe(await settled(1));
  });

  it('WLO-61 keys move by event, by day and to both ends, and the address follows', async () => {
    const { user } = await setUp('/dashboard?at=6');
    const slider = await settled(6);
    expect(['min', 'max', 'now'].map((name) => slider.getAttribute(`aria-value${name}`))).toEqual(['1', '9', '6']);
    act(() => slider.focus());
    const steps: readonly (readonly [string, number])[] = [
      ['{ArrowLeft}', 5],
      ['{Shift>}{ArrowLeft}{/Shift}', 3],
      ['{ArrowRight}', 5],
      ['{End}', 9],
      ['{Home}', 1],
      ['{PageUp}', 3],
    ];
    for (const [keys, position] of steps) {
      await user.keyboard(keys);
      await settled(position);
      expect(address()).toBe(`?at=${position}`);
      expect(slider.getAttribute('aria-valuenow')).toBe(String(position));
    }
    await user.click(screen.getByRole('button', { name: 'Событие вперёд' }));
    await settled(5);
    act(() => slider.focus());
    await user.keyboard('{End}');
    await settled(9);
    expect(screen.getByRole('button', { name: 'Событие вперёд' }).hasAttribute('disabled')).toBe(true);
  });

  it('WLO-62 a time in the address becomes the position of its event', async () => {
    await setUp('/dashboard?at=2026-11-05T12:00:00%2B03:00&campaign=');
    await settled(5);
    await waitFor(() => expect(address()).toContain('at=5'));
  });

  it('WLO-63 what happens meanwhile only raises «новых событий: N»', async () => {
    let added = 0;
    const { bring } = await setUp('/dashboard?at=6', (call) => history(added)(call));
    await settled(6);
    expect(screen.queryByText(/новых событий/u)).toBeNull();
    added = 2;
    act(() => bring('workspace', [['channel', { id: 'ch', name: 'Канал переименован' } as { id: string }]]));
    expect(await screen.findByText('новых событий: 2')).toBeDefined();
    expect(screen.getByText('Канал на событии 6')).toBeDefined();
    expect(address()).toBe('?at=6');
    expect(screen.getByText('только чтение · событие 6 из 9')).toBeDefined();
  });

  it.each([
    [
      '«Сейчас»',
      (user: Awaited<ReturnType<typeof setUp>>['user']) => user.click(screen.getByRole('button', { name: /^Сейчас/u })),
    ],
    ['Escape', (user: Awaited<ReturnType<typeof setUp>>['user']) => user.keyboard('{Escape}')],
  ])('WLO-64 %s leads back to now', async (_, leave) => {
    const { user } = await setUp('/dashboard?at=6');
    await settled(6);
    await leave(user);
    expect(screen.getByText('Канал сейчас')).toBeDefined();
    expect(address()).toBe('');
    expect(screen.queryByRole('slider')).toBeNull();
    expect(screen.getByText('можно менять')).toBeDefined();
    expect(document.documentElement.dataset['past']).toBeUndefined();
  });

  it('WLO-1124 until the moment is there, what stands below it says that it is of now', async () => {
    await setUp('/dashboard?at=5', () => new Promise<never>(() => undefined));
    expect(await screen.findByText('загрузка… Пока всё как сейчас')).toBeTruthy();
  });

  it('WLO-1200 the bar says the time of what is painted and of nothing else: before a moment is there, and while its neighbours are not', async () => {
    const answers = { lists: true, neighbours: true };
    const never = new Promise<never>(() => undefined);
    const serve = (call: Call): Answer | Promise<Answer> => {
      const isTimeline = call.path.startsWith('/api/timeline');
      if (isTimeline ? !answers.neighbours : !answers.lists) return never;
      const position = Number(new URL(call.path, 'http://here').searchParams.get('at'));
      const time = events.find((event) => event.position === position)?.at ?? '';
      return { ...(history()(call) as { readonly data: unknown }), position, at: { position, time } };
    };
    const { user } = await setUp('/dashboard?at=6', serve);
    const slider = await settled(6);
    answers.neighbours = false;
    act(() => slider.focus());
    await user.keyboard('{Home}');
    await shows(1);
    expect(await screen.findByText('Как было 1 ноября, 12:00:01')).toBeDefined();
    await user.click(screen.getByRole('button', { name: /^Сейчас/u }));
    answers.lists = false;
    await user.click(await screen.findByRole('button', { name: 'Как было' }));
    expect(await screen.findByText('загрузка… Пока всё как сейчас')).toBeDefined();
    expect(screen.queryByText(/Как было \d/u)).toBeNull();
  });

  it('WLO-1201 a first moment that does not come says that what stands below it is of now', async () => {
    await setUp('/dashboard?at=6', () => 'no answer');
    expect((await screen.findByRole('alert')).textContent).toContain(
      'Нет связи: прошлое не загрузилось. Пока всё как сейчас.',
    );
    expect(screen.getByText('Канал сейчас')).toBeDefined();
  });

  it('WLO-65 a moment that does not come says why and is asked for again', async () => {
    let away = true;
    const { user } = await setUp('/dashboard?at=6', (call) => (away ? 'no answer' : history()(call)));
    expect((await screen.findByRole('alert')).textContent).toContain('Нет связи: прошлое не загрузилось.');
    away = false;
    await user.click(screen.getByRole('button', { name: 'Повторить' }));
    await settled(6);
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('WLO-90 a moment that is refused says why, and what was there stays beside it', async () => {
    const message = messages.atBeforeLicence;
    const refused = { problem: { code: 'VALIDATION_FAILED', message, errors: [] } } as const;
    const { user } = await setUp('/dashboard?at=6', (call) =>
      /[?&]at=1(?:&|$)/u.test(call.path) ? refused : history()(call),
    );
    const slider = await settled(6);
    act(() => slider.focus());
    await user.keyboard('{Home}');
    expect((await screen.findByRole('alert')).textContent).toContain(message);
    expect(address()).toBe('?at=1');
    expect(screen.getByText('Канал на событии 6')).toBeDefined();
  });
});
