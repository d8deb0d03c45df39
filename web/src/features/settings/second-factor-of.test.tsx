import { cleanup, screen, waitFor, within } from '@testing-library/react';
import type { PersonWire } from '@zakup/contracts/wire-entities';
import { describe, expect, it } from 'vitest';
import { person, stage } from '../../shared/testing/stage.tsx';
import { toastStore } from '../../shared/toasts/toasts.ts';
import { EmployeePanel } from './employee-panel.tsx';

const since = '2026-11-21T09:00:00.000Z';
const name = 'Илья Кравцов';

interface Shown {
  readonly id?: string;
  readonly isOwner?: boolean;
  readonly role?: PersonWire['role'];
  readonly refused?: boolean;
  readonly factor?: boolean;
}
const open = ({ id = 'u1', isOwner = false, role = 'MEDIA_BUYER', refused = false, factor = true }: Shown = {}) => {
  let standing: string | null = factor ? since : null;
  const card = person(id, { name, role, isOwner });
  return stage({
    element: (
      <EmployeePanel
        person={card}
        signedInAt={null}
        beside
        onClose={() => 0}
        now={Date.now}
        onIssued={() => 0}
        onDirtyChange={() => 0}
      />
    ),
    me: person('me', { role: 'CBDO' }),
    serve: ({ method }) => {
      if (method === 'GET') return { data: { since: standing } };
      if (refused) return { problem: { code: 'ACCESS_DENIED', message: 'Нельзя', status: 403 } };
      standing = null;
      return { data: {} };
    },
    docs: { workspace: [['person', card] as const] },
  });
};
const section = () => screen.findByRole('region', { name: 'Второй фактор' });

describe('a colleague’s second factor in their card', () => {
  it('SFA-1570 is taken away after a question that says what it means, and then it says so', async () => {
    const { user, calls } = open();
    const card = within(await section());
    expect(await card.findByText('Включён 21 ноября, 12:00.')).toBeTruthy();
    await user.click(card.getByRole('button', { name: 'Снять второй фактор' }));
    const asked = within(await screen.findByRole('alertdialog', { name: `Снять второй фактор: ${name}?` }));
    expect(asked.getByText(/сессии завершатся, войти можно будет одним паролем/u)).toBeTruthy();
    await user.click(asked.getByRole('button', { name: 'Отмена' }));
    expect(calls.filter(({ method }) => method !== 'GET')).toEqual([]);
    await user.click(card.getByRole('button', { name: 'Снять второй фактор' }));
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Снять' }));
    const said = 'Второй фактор снят. Войти можно одним паролем, пока его не включат снова';
    expect(await card.findByText(said)).toBeTruthy();
    expect(card.queryByRole('button', { name: 'Снять второй фактор' })).toBeNull();
    expect(calls.filter(({ method }) => method !== 'GET')).toMatchObject([
      { method: 'DELETE', path: '/api/users/u1/second-factor' },
    ]);
  });

  it('SFA-1571 who has none is shown as such', async () => {
    open({ factor: false });
    expect(await within(await section()).findByText('Не включён: вход по одному паролю.')).toBeTruthy();
  });

  it('SFA-1572 a refusal is said and changes nothing', async () => {
    const { user } = open({ refused: true });
    const card = within(await section());
    await user.click(await card.findByRole('button', { name: 'Снять второй фактор' }));
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Снять' }));
    await waitFor(() => expect(toastStore.read().shown.map(({ text }) => text)).toHaveLength(1));
    expect(await card.findByRole('button', { name: 'Снять второй фактор' })).toBeTruthy();
  });

  it('SFA-1573 nobody is offered it for themself, the owner, or somebody of higher rank', async () => {
    for (const card of [{ id: 'me' }, { isOwner: true, role: 'CEO' }, { role: 'CEO' }] as const) {
      open(card);
      expect(await screen.findByRole('heading', { name })).toBeTruthy();
      expect(screen.queryByRole('region', { name: 'Второй фактор' })).toBeNull();
      cleanup();
    }
  });
});
