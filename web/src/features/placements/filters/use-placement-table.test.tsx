import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { useLocation, useNavigate } from 'react-router-dom';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { fullStorage } from '../../../shared/testing/full-storage.ts';
import { type Answer, stage } from '../../../shared/testing/stage.tsx';
import { ToastHost } from '../../../shared/toasts/toast-host.tsx';
import { tableStateKey, useTableState } from './table-state.ts';
import { usePlacementTable } from './use-placement-table.ts';
import type { UserWire } from '@zakup/contracts/wire-entities';
import type { Names } from '../rows/placement-row.ts';
import { useNames } from '../rows/use-placement-rows.ts';

const contractor = (id: string, adminUsername: string) => ({ id, adminUsername, channelName: '', isActive: true });
const kitchen = contractor('k1', '@kitchen_ads');
const dacha = contractor('k2', '@dacha');

const noTable = (names: Names) => ({ rows: [], columns: [], names, preview: null });

const Chips = () => {
  const { chips } = usePlacementTable(useTableState('c'), noTable(useNames()));
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

it('VIW-2570 a browser that has no room shows what is chosen all the same, until it is left', async () => {
  const Table = () => {
    const [state, update] = useTableState('c');
    return (
      <button type="button" onClick={() => update(() => ({ page: 3 }))}>
        {`Страница ${state.page}`}
      </button>
    );
  };
  const { user } = stage({ element: <Table /> });
  const full = fullStorage();
  vi.stubGlobal('localStorage', full);
  onTestFinished(() => void vi.unstubAllGlobals());
  await user.click(await screen.findByRole('button', { name: 'Страница 1' }));
  expect((await screen.findByRole('button', { name: 'Страница 3' })).isConnected).toBe(true);
  expect(full.setItem.mock.calls.map(([key]) => key)).toEqual([tableStateKey]);
});

it('GRD-3202 a letter is shown before rows are looked through for it; of another campaign nothing is shown that was asked of this one', async () => {
  const paints: string[] = [];
  const Table = () => {
    const [campaignId, setCampaign] = useState('autumn');
    const { state, narrowedBy, actions } = usePlacementTable(useTableState(campaignId), noTable(useNames()));
    paints.push(`${campaignId}: ${state.filters.search || '–'}, by ${narrowedBy.filters.search || '–'}`);
    return (
      <>
        <input
          aria-label="Найти"
          value={state.filters.search}
          onChange={(event) => actions.setFilters({ search: event.target.value })}
        />
        <button type="button" onClick={() => setCampaign('winter')}>
          Зима
        </button>
      </>
    );
  };
  const { user } = stage({ element: <Table /> });
  const field = await screen.findByRole('textbox', { name: 'Найти' });
  paints.length = 0;
  await user.type(field, 'к');
  expect([...new Set(paints)]).toEqual(['autumn: к, by –', 'autumn: к, by к']);
  paints.length = 0;
  await user.click(screen.getByRole('button', { name: 'Зима' }));
  expect([...new Set(paints)]).toEqual(['winter: –, by –']);
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
    const { chips, actions, state } = usePlacementTable(useTableState(campaignId), noTable(useNames()));
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

describe('the table and the address', () => {
  const Table = () => {
    const { chips, actions, state, copyLink } = usePlacementTable(useTableState('autumn'), noTable(useNames()));
    const { pathname, search } = useLocation();
    const go = useNavigate();
    const does = {
      Искать: () => actions.setFilters({ search: `${state.filters.search}ю` }),
      Формат: () => actions.setFilters({ format: ['1/48'] }),
      Цена: () => actions.setSorting({ columnId: 'price', order: 'desc' }),
      Листать: () => actions.setPage(3),
      Сбросить: actions.reset,
      Назад: () => go(-1),
      Вперёд: () => go(1),
      Кампания: () => go('/dashboard?campaign=autumn'),
      Ссылка: copyLink,
    };
    const { columnId, order } = state.sorting;
    return (
      <>
        <output aria-label="Вид">
          {[...chips.map(({ text }) => text), `${columnId} ${order}`, `страница ${state.page}`].join('; ')}
        </output>
        <output aria-label="Адрес">{`${pathname}${search}`}</output>
        {Object.entries(does).map(([name, run]) => (
          <button key={name} type="button" onClick={() => void run()}>
            {name}
          </button>
        ))}
        <ToastHost />
      </>
    );
  };
  const anna = { id: 'anna', name: 'Анна Соколова', role: 'MEDIA_BUYER', isActive: true } as UserWire;
  const opened = async (address: string, kept: object = {}) => {
    const { user } = stage({
      element: <Table />,
      address,
      docs: {
        workspace: [
          ['user', anna],
          ['contractor', kitchen],
        ],
      },
      kept: { [tableStateKey]: JSON.stringify(kept) },
      serve: () => ({ problem: { code: 'NOT_FOUND' } }) as Answer,
    });
    await screen.findByLabelText('Вид');
    return async (...names: readonly string[]) => {
      for (const name of names) await user.click(screen.getByRole('button', { name }));
    };
  };
  const shown = () => screen.getByLabelText('Вид').textContent;
  const address = () => screen.getByLabelText('Адрес').textContent;
  const remembered = {
    sortBy: 'leads',
    filters: { search: 'баня' },
    pagination: { page: 2, pageSize: 50, campaignId: 'autumn' },
  };

  it('VIW-2327 a link shows its rows, whatever is remembered, which then is what the link shows', async () => {
    await opened('/dashboard?campaign=autumn&buyer=anna&contractor=k1&priceTo=5.5&sort=-price&page=2', remembered);
    expect(shown()).toBe(
      'Контрагент: @kitchen_ads; Байер: Анна Соколова; Цена: до 5,50\u00A0₽; price desc; страница 2',
    );
    expect(JSON.parse(localStorage.getItem(tableStateKey) ?? '')).toMatchObject({ filters: { buyerId: ['anna'] } });
  });

  it('VIW-2328 what is remembered applies where the address says no view, and is what the address says then', async () => {
    await opened('/dashboard', remembered);
    expect(shown()).toBe('Найти: баня; leads asc; страница 2');
    await waitFor(() => expect(address()).toContain('campaign=autumn'));
    expect(new URLSearchParams(address().split('?')[1]).get('search')).toBe('баня');
  });

  it('VIW-2329 chosen changes are steps for Back and Forward, typing on is none, and where nothing was narrowed nothing is', async () => {
    const press = await opened('/dashboard?campaign=autumn');
    expect(address()).toBe('/dashboard?campaign=autumn');
    await press('Искать');
    await waitFor(() => expect(address()).toContain('search='));
    await press('Искать', 'Искать');
    await waitFor(() => expect(new URLSearchParams(address().split('?')[1]).get('search')).toBe('ююю'));
    await press('Формат');
    await waitFor(() => expect(address()).toContain('format='));
    await press('Цена');
    await waitFor(() => expect(address()).toContain('sort=-price'));
    await press('Листать');
    await waitFor(() => expect(address()).toContain('page=3'));
    await press('Назад');
    await waitFor(() => expect(shown()).toBe('Найти: ююю; Формат: 1/48; date asc; страница 1'));
    await press('Назад');
    await waitFor(() => expect(shown()).toBe('Найти: ююю; date asc; страница 1'));
    await press('Назад');
    await waitFor(() => expect(shown()).toBe('date asc; страница 1'));
    expect(address()).toBe('/dashboard?campaign=autumn');
    for (let times = 0; times < 3; times += 1) await press('Вперёд');
    await waitFor(() => expect(shown()).toBe('Найти: ююю; Формат: 1/48; price desc; страница 3'));
    await press('Сбросить');
    await waitFor(() => expect(address()).toBe('/dashboard?campaign=autumn&sort=-price'));
  });

  it('VIW-2415 Back before a step was drawn takes it back all the same', async () => {
    const press = await opened('/dashboard?campaign=autumn');
    await press('Формат');
    await waitFor(() => expect(address()).toContain('format='));
    act(() => {
      // Each is done at once, and what the router says of both is drawn later.
      for (const name of ['Цена', 'Назад']) flushSync(() => screen.getByRole('button', { name }).click());
    });
    await waitFor(() => expect(shown()).toBe('Формат: 1/48; date asc; страница 1'));
    expect(address()).not.toContain('price');
  });

  it('VIW-2330 the way to the campaign that is on the screen leaves its view as it is', async () => {
    const press = await opened('/dashboard?campaign=autumn');
    await press('Формат', 'Кампания');
    await waitFor(() => expect(address()).toContain('format='));
    expect(shown()).toBe('Формат: 1/48; date asc; страница 1');
  });

  it('VIW-2331 what is no value, or known to nobody here, is left out with a word', async () => {
    await opened(
      '/dashboard?campaign=autumn&buyer=anna&buyer=stranger&creative=gone&contractor=k9&from=soon&sort=price',
    );
    expect(await screen.findByText('В ссылке есть то, чего здесь нет: дата с. Показано без этого')).toBeDefined();
    expect(
      await screen.findByText('В ссылке есть то, чего здесь нет: байер, креатив, контрагент. Показано без этого'),
    ).toBeDefined();
    expect(shown()).toBe('Байер: Анна Соколова; price asc; страница 1');
    await waitFor(() => expect(address()).toBe('/dashboard?campaign=autumn&buyer=anna&sort=price'));
  });

  it('VIW-2332 the view of a link to another campaign narrows nothing here', async () => {
    await opened('/dashboard?campaign=winter&buyer=anna&sort=price');
    expect(shown()).toBe('date asc; страница 1');
    expect(address()).toBe('/dashboard?campaign=winter&buyer=anna&sort=price');
  });

  it('VIW-2333 the link that is copied says the campaign and the whole view, also where nothing is narrowed', async () => {
    const written = vi.fn<(text: string) => Promise<void>>(() => Promise.resolve());
    const press = await opened('/dashboard');
    vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(written);
    onTestFinished(() => void vi.restoreAllMocks());
    await press('Ссылка');
    expect(written).toHaveBeenLastCalledWith(`${window.location.origin}/dashboard?campaign=autumn&sort=date`);
    expect(await screen.findByText('Ссылка на вид скопирована')).toBeDefined();
    await press('Формат', 'Ссылка');
    expect(written).toHaveBeenLastCalledWith(
      `${window.location.origin}/dashboard?campaign=autumn&format=1%2F48&sort=date`,
    );
  });
});

describe('the columns as a person laid them', () => {
  const Columns = () => {
    const { actions, state } = usePlacementTable(useTableState('c'), noTable(useNames()));
    return (
      <>
        <output aria-label="Столбцы">{JSON.stringify(state.arrangement)}</output>
        <button
          type="button"
          onClick={() =>
            actions.setArrangement({ widths: { price: 140 }, order: ['buyer', 'price'], pinned: ['topic'] })
          }
        >
          Разложить
        </button>
      </>
    );
  };
  const shown = async () => (await screen.findByLabelText('Столбцы')).textContent;
  const usual = JSON.stringify({ widths: {}, order: [], pinned: [] });

  it('GRD-2374 are remembered with the table, and what is no arrangement is the usual one', async () => {
    stage({ element: <Columns /> });
    expect(await shown()).toBe(usual);
    act(() => screen.getByRole('button', { name: 'Разложить' }).click());
    const kept = localStorage.getItem(tableStateKey) ?? '';
    expect(JSON.parse(kept)).toMatchObject({
      arrangement: { widths: { price: 140 }, order: ['buyer', 'price'], pinned: ['topic'] },
    });
    cleanup();
    stage({ element: <Columns />, kept: { [tableStateKey]: kept } });
    expect(await shown()).toBe(
      JSON.stringify({ widths: { price: 140 }, order: ['buyer', 'price'], pinned: ['topic'] }),
    );
    cleanup();
    stage({
      element: <Columns />,
      kept: { [tableStateKey]: JSON.stringify({ arrangement: { widths: { price: 1e9 }, order: [], pinned: [] } }) },
    });
    expect(await shown()).toBe(usual);
  });
});
