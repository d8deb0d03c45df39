import type { Change } from '@zakup/contracts/socket';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { memoryReplica } from '../../shared/replica/replica.ts';
import { ReplicaProvider } from '../../shared/replica/replica-context.tsx';
import { AddPlacementDialog } from './add-placement-dialog.tsx';
import type { PlacementForm } from './placement-form.ts';

const half = Date.parse('2026-11-20T21:30:00.000Z');
const doc = (kind: Change['kind'], id: string, more: object): Change => ({
  kind,
  id,
  position: 1,
  doc: { id, ...more },
});

const setUp = (campaignId: string | null = 'c', buyerId = 'nobody') => {
  const replica = memoryReplica();
  replica.apply({
    scope: 'workspace',
    position: 1,
    last: true,
    docs: [
      doc('user', 'u1', { name: 'Анна', role: 'MEDIA_BUYER', isActive: true }),
      doc('user', 'u2', { name: 'Илья', role: 'TEAM_LEAD', isActive: true }),
      doc('user', 'u3', { name: 'Ушёл', role: 'MEDIA_BUYER', isActive: false }),
      doc('user', 'u4', { name: 'Глава', role: 'CEO', isActive: true }),
      doc('contractor', 'k1', {
        adminUsername: '@Kitchen_ads',
        isActive: true,
        totalPlacements: 2,
        totalLeads: 0,
        totalSpent: 10,
        averagePlacementPrice: 5,
        lastUsed: null,
      }),
    ],
  });
  const added: PlacementForm[] = [];
  render(
    <ReplicaProvider value={replica}>
      <AddPlacementDialog
        campaignId={campaignId}
        now={() => half}
        buyerId={buyerId}
        onAdd={(form) => added.push(form)}
        onClose={() => undefined}
      />
    </ReplicaProvider>,
  );
  const submit = screen.getByRole('button', { name: 'Добавить размещение' });
  return { user: userEvent.setup(), added, submit };
};

describe('add placement dialog', () => {
  it('AD-1 says what is wrong in the order of the specification and takes the person there', async () => {
    const { user, added, submit } = setUp();
    await user.click(submit);
    expect(screen.getByRole('alert').textContent).toBe('Ник контрагента обязателен');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Ник контрагента')));
    await user.type(screen.getByLabelText('Ник контрагента'), 'new_nick');
    await user.click(submit);
    expect(screen.getByRole('alert').textContent).toBe('Выберите байера');
    await user.selectOptions(screen.getByLabelText('Байер'), 'u1');
    await user.click(submit);
    expect(screen.getByRole('alert').textContent).toBe('Выберите тематику');
    await user.type(screen.getByLabelText('Тематика'), 'кулин');
    await user.click(within(screen.getByRole('listbox')).getByText('Кулинария'));
    await user.click(submit);
    await user.click(submit);
    expect(added).toEqual([
      {
        date: '2026-11-21',
        buyerId: 'u1',
        contractor: 'new_nick',
        format: '1/24',
        price: '',
        leads: '0',
        creativeId: '',
        category: 'Кулинария',
        paymentStatus: 'unpaid',
      },
    ]);
  });

  it('AD-2 without a campaign that is the first thing said', async () => {
    const { user, submit } = setUp(null);
    await user.click(submit);
    expect(screen.getByRole('alert').textContent).toBe('Кампания не выбрана');
  });

  it('AD-3 offers active buyers and team leads only, and begins with the person who buys', () => {
    setUp('c', 'u2');
    const options = within(screen.getByLabelText('Байер')).getAllByRole('option');
    expect(options.map((option) => option.textContent)).toEqual(['Выберите байера', 'Анна', 'Илья']);
    expect(screen.getByLabelText<HTMLSelectElement>('Байер').value).toBe('u2');
  });

  it('AD-4 suggests known nicks and has data to analyse only for them', async () => {
    const { user } = setUp();
    expect(screen.getByRole('button', { name: 'Нет данных для анализа' }).hasAttribute('disabled')).toBe(true);
    await user.type(screen.getByLabelText('Ник контрагента'), 'kitch');
    await user.keyboard('{ArrowDown}{Enter}');
    expect(screen.getByLabelText<HTMLInputElement>('Ник контрагента').value).toBe('@Kitchen_ads');
    expect(screen.getByRole('button', { name: 'Анализ контрагента' }).hasAttribute('disabled')).toBe(false);
  });

  it('AD-5 the price takes digits and a dot', async () => {
    const { user } = setUp();
    await user.type(screen.getByLabelText('Цена, ₽'), 'a1x0,5');
    expect(screen.getByLabelText<HTMLInputElement>('Цена, ₽').value).toBe('10.5');
  });
});
