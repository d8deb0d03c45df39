import { act, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { type Answer, stage } from '../../shared/testing/stage.tsx';
import { ToastHost } from '../../shared/toasts/toast-host.tsx';
import { tableStateKey } from './table-state.ts';
import { usePlacementTable } from './use-placement-table.ts';
import { useNames } from './use-placement-rows.ts';

const contractor = (id: string, adminUsername: string) => ({ id, adminUsername, channelName: '', isActive: true });
const kitchen = contractor('k1', '@kitchen_ads');
const dacha = contractor('k2', '@dacha');

const Chips = () => {
  const { chips } = usePlacementTable('c', [], useNames());
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
