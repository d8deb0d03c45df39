import { act, screen } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it } from 'vitest';
import { type Answer, stage } from '../../../shared/testing/stage.tsx';
import { ToastHost } from '../../../shared/toasts/toast-host.tsx';
import { tableStateKey, useTableState } from './table-state.ts';
import { usePlacementTable } from './use-placement-table.ts';
import { useNames } from '../rows/use-placement-rows.ts';

const contractor = (id: string, adminUsername: string) => ({ id, adminUsername, channelName: '', isActive: true });
const kitchen = contractor('k1', '@kitchen_ads');
const dacha = contractor('k2', '@dacha');

const Chips = () => {
  const { chips } = usePlacementTable(useTableState('c'), [], useNames());
  return (
    <>
      <output aria-label="Фильтры">{chips.map(({ text }) => text).join('; ')}</output>
      <ToastHost />
    </>
  );
};

const filteredBy = (contractorId: string, known: readonly (typeof kitchen)[], answer: Answer) =>
  stage({
    element: <Chips />,
    docs: { workspace: known.map((one) => ['contractor', one] as const) },
    kept: { [tableStateKey]: JSON.stringify({ selectedContractorId: contractorId }) },
    serve: () => answer,
  });

describe('the table of one contractor', () => {
  it('TBL-26 follows the contractor to whom it was merged into, with a word about it', async () => {
    const { withdraw } = filteredBy('k2', [kitchen, dacha], { data: { contractor: kitchen } });
    expect((await screen.findByLabelText('Фильтры')).textContent).toBe('Контрагент: @dacha');
    act(() => withdraw('workspace', { kind: 'contractor', id: 'k2' }));
    expect(await screen.findByText('@dacha объединён с @kitchen_ads')).toBeDefined();
    expect(screen.getByLabelText('Фильтры').textContent).toBe('Контрагент: @kitchen_ads');
  });

  it('TBL-27 does so also where the merge was before the browser came back', async () => {
    filteredBy('k2', [kitchen], { data: { contractor: kitchen } });
    expect(await screen.findByText('Контрагент объединён с @kitchen_ads')).toBeDefined();
    expect(JSON.parse(localStorage.getItem(tableStateKey) ?? '')).toMatchObject({ selectedContractorId: 'k1' });
  });
});

describe('the table of another campaign', () => {
  const Table = () => {
    const [campaignId, setCampaign] = useState('autumn');
    const { chips, actions, state } = usePlacementTable(useTableState(campaignId), [], useNames());
    return (
      <>
        <output aria-label="Фильтры">{[...chips.map(({ text }) => text), `страница ${state.page}`].join('; ')}</output>
        <button type="button" onClick={() => actions.setFilters({ search: 'дача' })}>
          Искать
        </button>
        <button type="button" onClick={() => actions.setPage(3)}>
          Листать
        </button>
        <button type="button" onClick={() => actions.setContractor('k1')}>
          Контрагент
        </button>
        {['autumn', 'winter'].map((id) => (
          <button key={id} type="button" onClick={() => setCampaign(id)}>
            {id}
          </button>
        ))}
      </>
    );
  };
  const shown = () => screen.getByLabelText('Фильтры').textContent;
  const press = (user: ReturnType<typeof stage>['user'], name: string) =>
    user.click(screen.getByRole('button', { name }));

  it('TBL-1146 filters, search, the one contractor and the page belong to their campaign, and are there again when one comes back', async () => {
    const { user } = stage({ element: <Table />, docs: { workspace: [['contractor', kitchen]] } });
    await screen.findByLabelText('Фильтры');
    for (const name of ['Искать', 'Контрагент', 'Листать']) await press(user, name);
    const autumn = shown();
    expect(autumn).toContain('дача');
    expect(autumn).toContain('@kitchen_ads');
    expect(autumn).toContain('страница 3');
    await press(user, 'winter');
    expect(shown()).toBe('страница 1');
    await press(user, 'Листать');
    await press(user, 'autumn');
    expect(shown()).toBe(autumn);
    await press(user, 'winter');
    expect(shown()).toBe('страница 3');
  });

  it('TBL-1147 so it is also where the browser comes back later', async () => {
    const kept = {
      filters: { search: 'дача' },
      pagination: { page: 2, pageSize: 50, campaignId: 'winter' },
      left: [{ campaignId: 'autumn', filters: { search: 'баня' }, page: 4, selectedContractorId: null }],
    };
    const { user } = stage({ element: <Table />, kept: { [tableStateKey]: JSON.stringify(kept) } });
    await screen.findByLabelText('Фильтры');
    expect(shown()).toContain('баня');
    expect(shown()).toContain('страница 4');
    await press(user, 'winter');
    expect(shown()).toContain('дача');
  });
});
