import { act, renderHook, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { groupLineOf } from '../../../shared/table/grid-groups.ts';
import { fullStorage } from '../../../shared/testing/full-storage.ts';
import { closedGroupsKey } from './closed-groups.ts';
import type { PlacementRow } from './placement-row.ts';
import { usePlacementGroups } from './use-placement-groups.ts';

const rows = ['anna', 'yan'].map((buyerId) => {
  const placement = { id: buyerId, date: '2026-11-20', price: 1, leads: 1, buyerId, creativeId: 'c1' };
  return { id: buyerId, placement, decided: placement, buyerName: buyerId, counted: true } as unknown as PlacementRow;
});
const sorting = { columnId: 'date', order: 'asc' } as const;

const table = async (campaignId: string) => {
  const view = renderHook(({ of }) => usePlacementGroups(of, 'buyer', sorting).groups, {
    initialProps: { of: campaignId },
  });
  await waitFor(() => expect(view.result.current).not.toBeNull());
  const shown = () => view.result.current?.arrange(rows) ?? [];
  return {
    ...view,
    shown: () => shown().map((row) => groupLineOf(row)?.label ?? `row of ${row.id}`),
    toggle: (label: string) =>
      act(() =>
        shown()
          .flatMap((row) => groupLineOf(row) ?? [])
          .find((line) => line.label === label)
          ?.toggle(),
      ),
  };
};
const allOpen = ['anna', 'row of anna', 'yan', 'row of yan'];

describe('groups that are closed', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    localStorage.clear();
  });

  it('VIW-2413 stay closed for whoever comes back, in their campaign alone, until they are opened', async () => {
    const first = await table('c1');
    first.toggle('anna');
    expect(first.shown()).toEqual(['anna', 'yan', 'row of yan']);
    first.rerender({ of: 'c2' });
    expect(first.shown()).toEqual(allOpen);
    first.unmount();
    const back = await table('c1');
    expect(back.shown()).toEqual(['anna', 'yan', 'row of yan']);
    back.toggle('anna');
    expect(back.shown()).toEqual(allOpen);
    back.unmount();
    expect((await table('c1')).shown()).toEqual(allOpen);
  });

  it('VIW-2414 what cannot be read is as if nothing had been closed', async () => {
    localStorage.setItem(closedGroupsKey, '[{"campaignId":"c1","keys":7}]');
    expect((await table('c1')).shown()).toEqual(allOpen);
  });

  it('ATT-2462 close in a browser that keeps nothing, too', async () => {
    const full = fullStorage();
    vi.stubGlobal('localStorage', full);
    const groups = await table('c1');
    groups.toggle('anna');
    expect(full.setItem).toHaveBeenCalledOnce();
    expect(groups.shown()).toEqual(['anna', 'yan', 'row of yan']);
  });
});
