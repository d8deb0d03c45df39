import { act, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { tokenKeys } from '../api/tokens.ts';
import { memoryEntryStore } from '../outbox/entry-store.ts';
import { openOutbox } from '../outbox/outbox.ts';
import { OutboxProvider } from '../outbox/outbox-context.tsx';
import { memoryReplica } from '../replica/replica.ts';
import { useSession } from '../session/session-context.tsx';
import { stage, stageNow } from '../testing/stage.tsx';
import { UnsentGuard } from './unsent-guard.tsx';

const Leave = () => {
  const { signOut } = useSession();
  return (
    <button
      type="button"
      onClick={() => {
        signOut().catch(() => undefined);
      }}
    >
      Выйти из системы
    </button>
  );
};

it('SHL-18 logging out with unsent changes asks, and staying keeps the session', async () => {
  const outbox = await openOutbox({
    personId: 'anna',
    store: memoryEntryStore(),
    transport: { send: () => Promise.resolve({ kind: 'later', retryAfterSeconds: null }) },
    replica: memoryReplica(),
    newId: () => crypto.randomUUID(),
    clock: { now: () => stageNow, setTimeout: () => 0, clearTimeout: () => undefined },
    chance: () => 0,
    tabs: null,
    election: (lead) => {
      lead();
      return () => undefined;
    },
  });
  const { user } = stage({
    element: (
      <OutboxProvider value={outbox}>
        <UnsentGuard />
        <Leave />
      </OutboxProvider>
    ),
  });
  const leave = await screen.findByRole('button', { name: 'Выйти из системы' });
  act(() => {
    outbox.issue({
      target: { kind: 'placement', id: 'p' },
      method: 'PATCH',
      path: '/api/placements/p',
      body: { price: 1 },
      baseRevision: 1,
      label: 'Цена',
      scope: 'campaign:k',
    });
  });
  await user.click(leave);
  expect(await screen.findByRole('alertdialog', { name: 'Не отправлено: 1. Выйти и оставить их здесь?' })).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Остаться' }));
  expect(localStorage.getItem(tokenKeys.access)).not.toBeNull();
  await user.click(leave);
  await user.click(await screen.findByRole('button', { name: 'Выйти' }));
  await waitFor(() => expect(localStorage.getItem(tokenKeys.access)).toBeNull());
});
