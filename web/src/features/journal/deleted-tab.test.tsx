import { screen, waitFor, within } from '@testing-library/react';
import type { HistoryEntry } from '@zakup/contracts/history';
import { messages } from '@zakup/domain/messages';
import { expect, it } from 'vitest';
import { stage } from '../../shared/testing/stage.tsx';
import { DeletedTab } from './deleted-tab.tsx';

const deleted: HistoryEntry = {
  position: 10,
  revision: 3,
  at: '2026-11-20T16:02:55.000Z',
  actor: { userId: 'anna', name: 'Анна Соколова' },
  commandId: '00000000-0000-4000-8000-000000000010',
  source: 'screen',
  reason: null,
  causedBy: null,
  event: 'PlacementRemoved',
  entity: { kind: 'placement', id: 'p2', name: '@dacha_reklama' },
  campaign: null,
  changes: [{ field: 'deleted', from: false, to: true }],
};
const restored: HistoryEntry = {
  ...deleted,
  position: 11,
  event: 'PlacementRestored',
  changes: [{ field: 'deleted', from: true, to: false }],
};

it('JRN-21 says that what was restored could not be looked for, and takes it away once it could', async () => {
  let away = false;
  let isBack = false;
  const { user } = stage({
    element: <DeletedTab />,
    serve: ({ method, path }) => {
      if (method === 'POST') {
        away = true;
        isBack = true;
        return { data: {} };
      }
      if (away) return { problem: { code: 'UNAVAILABLE', message: messages.unavailable } };
      const query = new URLSearchParams(path.split('?')[1] ?? '');
      if (query.get('field') !== 'deleted') return { data: { entries: [], nextCursor: null } };
      return { data: { entries: isBack ? [restored, deleted] : [deleted], nextCursor: null } };
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Вернуть: размещение @dacha_reklama' }));
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('Не обновилось');
  expect(screen.getByText('@dacha_reklama')).toBeDefined();
  away = false;
  await user.click(within(alert).getByRole('button', { name: 'Повторить' }));
  expect(await screen.findByText('Ничего не удалено')).toBeDefined();
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
});

it('JRN-24 takes away what was restored, however far the read models are', async () => {
  const { user } = stage({
    element: <DeletedTab />,
    serve: ({ method, path }) => {
      if (method === 'POST') return { data: {}, position: 11 };
      const query = new URLSearchParams(path.split('?')[1] ?? '');
      if (query.get('field') !== 'deleted') return { data: { entries: [], nextCursor: null } };
      const isReached = query.get('after') === '11';
      return { data: { entries: isReached ? [restored, deleted] : [deleted], nextCursor: null } };
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Вернуть: размещение @dacha_reklama' }));
  expect(await screen.findByText('Ничего не удалено')).toBeDefined();
});
