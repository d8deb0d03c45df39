import { act, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { requestReveal } from '../../../shared/campaign/reveal-requests.ts';
import { fewRows } from '../../../shared/table/use-sight.ts';
import { placementDocument } from '../../../shared/testing/placement-document.ts';
import { stage } from '../../../shared/testing/stage.tsx';
import { useTableState } from '../filters/table-state.ts';
import { usePlacementTable } from '../filters/use-placement-table.ts';
import type { Names, PlacementRow } from './placement-row.ts';
import { useRevealedPlacement } from './use-revealed-placement.ts';

const names: Names = { contractors: new Map(), users: new Map(), creatives: new Map() };
const rows = Array.from({ length: fewRows + 1 }, (_, at): PlacementRow => {
  const placement = placementDocument({ id: `p${at}`, leads: 0, costPerLead: 0 });
  return {
    id: placement.id,
    kind: 'stored',
    placement,
    decided: placement,
    counted: true,
    typed: {},
    idle: new Set(),
    stored: placement,
    nick: at < 3 ? '@dacha' : '@kitchen',
    buyerName: 'Анна',
    creativeName: 'Ролик',
    entries: [],
    leaving: false,
  };
});
const columns: Parameters<typeof usePlacementTable>[1]['columns'] = [];

it('GRD-3702 of many rows the one that is shown in its place stays marked when they have been prepared', async () => {
  const Table = () => {
    const table = usePlacementTable(useTableState('c'), { rows, columns, names, preview: null });
    const { revealed, showInPlace } = useRevealedPlacement({ campaignId: 'c', rows, names, table, narrow: false });
    return (
      <>
        <output>{[table.shown.length, table.page?.number, revealed?.row.id ?? '–'].join(', ')}</output>
        <button type="button" onClick={() => table.actions.setFilters({ search: 'dacha' })}>
          Искать
        </button>
        <button type="button" onClick={showInPlace}>
          На месте
        </button>
      </>
    );
  };
  const { user } = stage({ element: <Table /> });
  const output = await screen.findByRole('status');
  await user.click(screen.getByRole('button', { name: 'Искать' }));
  await waitFor(() => expect(output.textContent).toBe('3, 1, –'));
  act(() => void requestReveal({ campaignId: 'c', placementId: 'p1830' }));
  expect(output.textContent).toBe('3, 1, p1830');
  await user.click(screen.getByRole('button', { name: 'На месте' }));
  await waitFor(() => expect(output.textContent).toMatch(`${rows.length}, 37, `));
  expect(output.textContent).toBe(`${rows.length}, 37, p1830`);
});
