import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { messages } from '@zakup/domain/messages';
import { expect, it } from 'vitest';
import { apiClient } from '../../shared/api/api-client.ts';
import { ApiProvider } from '../../shared/api/api-context.tsx';
import { tokenStore } from '../../shared/api/tokens.ts';
import { memoryReplica } from '../../shared/replica/replica.ts';
import { ReplicaProvider } from '../../shared/replica/replica-context.tsx';
import { toastStore } from '../../shared/toasts/toasts.ts';
import { CreativeDialog } from './creative-dialog.tsx';

const stamp = { revision: 2, createdAt: '2026-11-01T09:00:00.000Z', updatedAt: '2026-11-01T09:00:00.000Z' };

const open = (creative: Parameters<typeof CreativeDialog>[0]['creative']) => {
  const sent: unknown[] = [];
  let closed = 0;
  const tokens = tokenStore(localStorage);
  tokens.write({ token: 'opaque', refreshToken: null });
  const api = apiClient({
    tokens,
    now: () => 0,
    fetch: (_, init) => {
      const body = typeof init?.body === 'string' ? (JSON.parse(init.body) as object) : null;
      sent.push(body);
      const reply = { success: true, error: null, data: { creative: creative ?? { ...stamp, id: 'cr', ...body } } };
      return Promise.resolve(new Response(JSON.stringify(reply), { headers: { 'content-type': 'application/json' } }));
    },
  });
  render(
    <ApiProvider value={api}>
      <ReplicaProvider value={memoryReplica()}>
        <CreativeDialog
          creative={creative}
          onClose={() => {
            closed += 1;
          }}
        />
      </ReplicaProvider>
    </ApiProvider>,
  );
  return { user: userEvent.setup(), sent, closed: () => closed };
};

it('WCR-1 a creative needs a name, and the keyboard goes there', async () => {
  const { user, sent } = open(null);
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(dialog.getByRole('button', { name: 'Добавить' }));
  expect(dialog.getByText(messages.nameInvalid)).toBeDefined();
  expect(document.activeElement).toBe(dialog.getByLabelText('Название'));
  expect(sent).toEqual([]);
});

it('WCR-2 only what changed is sent, on the revision the person saw', async () => {
  const { user, sent, closed } = open({
    ...stamp,
    id: 'cr1',
    name: 'Меню на неделю',
    abbreviation: 'МН',
    type: 'TEXT_ONLY',
    notes: '',
    isActive: true,
  });
  const dialog = within(await screen.findByRole('dialog'));
  await user.selectOptions(dialog.getByLabelText('Тип'), 'TEXT_WITH_VIDEO');
  await user.type(dialog.getByLabelText('Заметки'), 'Осенью лучше');
  await user.click(dialog.getByRole('button', { name: 'Сохранить' }));
  expect(sent).toEqual([{ type: 'TEXT_WITH_VIDEO', notes: 'Осенью лучше', baseRevision: 2 }]);
  expect(closed()).toBe(1);
});

it('WCR-3 a new creative is said to be there', async () => {
  const { user, sent, closed } = open(null);
  const dialog = within(await screen.findByRole('dialog'));
  await user.type(dialog.getByLabelText('Название'), 'Меню на неделю');
  await user.click(dialog.getByRole('button', { name: 'Добавить' }));
  await waitFor(() => expect(closed()).toBe(1));
  expect(sent).toEqual([expect.objectContaining({ name: 'Меню на неделю' })]);
  expect(toastStore.announced()?.text).toBe('Креатив добавлен');
  expect(toastStore.read().shown).toEqual([]);
});
