import { useDeferredValue, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { noCreative } from '@zakup/domain/placement/events';
import { useFollowMerge } from '../../../shared/contractor/use-receiver.ts';
import { useMoment } from '../../../shared/moment/moment-context.ts';
import { useDrawn } from '../../../shared/replica/replica-context.tsx';
import type { ColumnArrangement } from '../../../shared/table/arranged-columns.ts';
import type { GridColumn, GridPage, GridSorting } from '../../../shared/table/grid-column.ts';
import { countKeeper } from '../../../shared/table/incremental-list.ts';
import { useSight } from '../../../shared/table/use-sight.ts';
import { toasts } from '../../../shared/toasts/toasts.ts';
import { useNarrow } from '../../../shared/ui/use-media.ts';
import { pagesOf } from '../rows/pager.tsx';
import {
  type FilterName,
  filterNames,
  filterChips,
  fitsFilters,
  hiddenCount,
  isInSight,
  isTakenDown,
  narrowsSight,
  type PlacementFilters,
  questionOf,
  whyUnfit,
  withoutFilters,
} from './placement-filters.ts';
import type { Grouping } from '@zakup/domain/views/view-parameters';
import { usePlacementGroups } from '../rows/use-placement-groups.ts';
import { byCreation, type Names, type PlacementRow } from '../rows/placement-row.ts';
import type { RowsPreview } from '../rows/use-rows-preview.ts';
import { pageSize, type TableState, usualSorting, type useTableState } from './table-state.ts';
import { useViewAddress, viewSteps } from './use-view-address.ts';
import { type AddressedView, droppedText, type TableView, viewText } from './view-address.ts';

/** The ways to change what the table shows. */
export interface TableActions {
  readonly setSorting: (sorting: GridSorting) => void;
  readonly setCardSorting: (cardSorting: GridSorting) => void;
  readonly setHidden: (hidden: readonly string[]) => void;
  readonly setArrangement: (arrangement: ColumnArrangement) => void;
  readonly setFilters: (change: Partial<PlacementFilters>) => void;
  /** Takes these away. */
  readonly clearFilters: (cleared: readonly FilterName[]) => void;
  readonly setContractor: (id: string | null) => void;
  /** Null = in one list. */
  readonly setGrouping: (grouping: Grouping | null) => void;
  readonly setPage: (page: number) => void;
  readonly setWhole: (whole: boolean) => void;
  /** Takes all filters away. */
  readonly reset: () => void;
}

/** Without what of a view's ids nobody here knows, and what that is in words. */
const knownView = (view: TableView, names: Names): AddressedView => {
  const { buyerId, creativeId } = view.filters;
  const buyers = buyerId.filter((id) => names.users.has(id));
  const creatives = creativeId.filter((id) => id === noCreative || names.creatives.has(id));
  const isContractorKnown = view.contractorId === null || names.contractors.has(view.contractorId);
  return {
    view: {
      ...view,
      filters: { ...view.filters, buyerId: buyers, creativeId: creatives },
      contractorId: isContractorKnown ? view.contractorId : null,
    },
    dropped: [
      ...(buyers.length < buyerId.length ? ['байер'] : []),
      ...(creatives.length < creativeId.length ? ['креатив'] : []),
      ...(isContractorKnown ? [] : ['контрагент']),
    ],
  };
};

const sayDropped = (dropped: readonly string[]): void => {
  if (dropped.length > 0) toasts.info(droppedText(dropped));
};

/** The view of the table in the address: shown from there, with a word where it asks for what there is not, and told there. */
const useAddressedView = (
  campaignId: string,
  view: TableView,
  narrow: boolean,
  {
    names,
    isKnown,
    onShow,
  }: { readonly names: Names; readonly isKnown: boolean; readonly onShow: (view: TableView) => void },
) => {
  const [steps] = useState(() => viewSteps());
  /** The text of a view from the address whose ids nobody has looked at yet. */
  const unchecked = useRef<string | null>(null);
  const onAsked = (asked: AddressedView): void => {
    unchecked.current = viewText(asked.view);
    sayDropped(asked.dropped);
    onShow(asked.view);
  };
  const { text, copyLink } = useViewAddress({ campaignId, view, usual: usualSorting(narrow), steps, onAsked });
  const check = useEffectEvent((): void => {
    if (unchecked.current !== text) return;
    unchecked.current = null;
    const known = knownView(view, names);
    if (known.dropped.length === 0) return;
    sayDropped(known.dropped);
    onShow(known.view);
  });
  // After every render: it compares two texts.
  useEffect(() => {
    if (isKnown) check();
  });
  return { steps, copyLink };
};

const tableActions = (
  steps: ReturnType<typeof useAddressedView>['steps'],
  update: ReturnType<typeof useTableState>[1],
): TableActions => {
  const change = (member: string, changeOf: Parameters<typeof update>[0]): void => {
    steps.take(member);
    update(changeOf);
  };
  return {
    setSorting: (next) => change('sort', () => ({ sorting: next })),
    setCardSorting: (next) => change('sort', () => ({ cardSorting: next, page: 1 })),
    setHidden: (hidden) => update(() => ({ hidden })),
    setArrangement: (arrangement) => update(() => ({ arrangement })),
    setFilters: (next) =>
      change(Object.keys(next).join(), (before) => ({ filters: { ...before.filters, ...next }, page: 1 })),
    clearFilters: (cleared) =>
      change(`without ${cleared.join()}`, (before) => ({
        filters: { ...before.filters, ...Object.fromEntries(cleared.map((name) => [name, withoutFilters[name]])) },
        page: 1,
      })),
    setContractor: (id) =>
      change(id === null ? 'without contractor' : 'contractor', () => ({ selectedContractorId: id, page: 1 })),
    setGrouping: (by) => change('group', () => ({ grouping: by, page: 1 })),
    setPage: (page) => update(() => ({ page })),
    setWhole: (next) => update(() => ({ whole: next })),
    reset: () => change('reset', () => ({ filters: withoutFilters, selectedContractorId: null, page: 1 })),
  };
};

/** Whether of what narrows the rows nothing but the search differs. */
const differInSearch = (one: TableState, other: TableState): boolean =>
  one.campaignId === other.campaignId &&
  one.selectedContractorId === other.selectedContractorId &&
  filterNames.every((name) => name === 'search' || one.filters[name] === other.filters[name]);

/**
 * What the rows are narrowed by. A search follows what is typed in a render of its own, so that a letter is seen before many rows are looked
 * through for it; whatever else is asked for, by a link too, is there at once.
 */
const useNarrowing = (asked: TableState): Pick<TableState, 'filters' | 'selectedContractorId'> => {
  const later = useDeferredValue(asked);
  return differInSearch(later, asked) ? later : asked;
};

interface TableRows {
  /** As they were made, oldest first. */
  readonly rows: readonly PlacementRow[];
  readonly columns: readonly GridColumn<PlacementRow>[];
  readonly names: Names;
  /** Not null: the rows are no more than these, and what is said of all is said by it. */
  readonly preview: RowsPreview | null;
}

/** What of a campaign's rows is shown, in which order and how, and the ways to change that; `actions` stay the same object. */
export const usePlacementTable = (
  [state, update]: ReturnType<typeof useTableState>,
  { rows, columns, names, preview }: TableRows,
) => {
  const narrow = useNarrow();
  const { campaignId, grouping } = state;
  const { filters, selectedContractorId: contractorId } = useNarrowing(state);
  // Groups are whole.
  const isWhole = state.whole || grouping !== null;
  const nick = contractorId === null ? null : (names.contractors.get(contractorId)?.adminUsername ?? null);
  const isDrawn = useDrawn('workspace');
  const isMissing = isDrawn && contractorId !== null && nick === null;
  const { receiver, asking } = useFollowMerge({
    contractorId,
    nick,
    missing: isMissing,
    onMerged: (id) => update(() => ({ selectedContractorId: id, page: 1 })),
  });
  const isNow = useMoment() === null;
  const sorting = narrow ? state.cardSorting : state.sorting;
  const { steps, copyLink } = useAddressedView(
    campaignId,
    {
      filters: state.filters,
      contractorId: state.selectedContractorId,
      sorting,
      grouping,
      page: isWhole ? 1 : state.page,
    },
    narrow,
    {
      names,
      isKnown: isNow && isDrawn && !(isMissing && (asking || receiver !== null)),
      onShow: (view) =>
        update(() => ({
          filters: view.filters,
          selectedContractorId: view.contractorId,
          grouping: view.grouping,
          page: view.page,
          ...(narrow ? { cardSorting: view.sorting } : { sorting: view.sorting }),
        })),
    },
  );
  const actions = useMemo(() => tableActions(steps, update), [steps, update]);
  const { groups, openGroupOf } = usePlacementGroups(campaignId, preview === null ? grouping : null, sorting);
  const inSight = useMemo(() => isInSight(fitsFilters(filters, contractorId, names)), [filters, contractorId, names]);
  const sight = useSight({
    rows,
    columns,
    tie: byCreation,
    sorting,
    fits: inSight,
    narrows: narrowsSight,
  });
  const { ordered, shown } = sight;
  const drawn = questionOf(sight.fits);
  const { fits, reasonOf } = useMemo(
    () => ({
      fits: fitsFilters(drawn.filters, drawn.contractorId, drawn.names),
      reasonOf: whyUnfit(drawn.filters, drawn.contractorId, drawn.names),
    }),
    [drawn],
  );
  const [countTakenDown] = useState(() => countKeeper(isTakenDown));
  const takenDown = useMemo(() => countTakenDown(rows), [countTakenDown, rows]);
  const chips = filterChips(drawn.filters, names).map(({ text, whole: words, clears }) => ({
    text,
    whole: words,
    onRemove: () => actions.clearFilters(clears),
  }));
  const contractor = `Контрагент: ${names.contractors.get(drawn.contractorId ?? '')?.adminUsername ?? '…'}`;
  if (drawn.contractorId !== null)
    chips.unshift({
      text: contractor,
      whole: contractor,
      onRemove: () => actions.setContractor(null),
    });
  const count = preview?.total ?? shown.length;
  const number = Math.min(state.page, pagesOf(count));
  const isCut = preview !== null;
  const page = useMemo(
    (): GridPage | undefined => (isWhole ? undefined : { number, size: pageSize, isCut }),
    [isWhole, number, isCut],
  );
  return {
    state,
    actions,
    /** What `shown` is narrowed by: where `state` asks for something else, that is still on its way. */
    narrowedBy: drawn,
    /** All of them, in order. */
    ordered,
    /** Those in sight, in order. */
    shown,
    /** Of all that fit, here or still on their way. */
    count,
    fits,
    whyUnfit: reasonOf,
    chips,
    page,
    groups,
    openGroupOf,
    takenDown: isCut ? 0 : hiddenCount(takenDown, drawn.filters),
    copyLink,
  };
};
