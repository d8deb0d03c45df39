import { Lock } from '@blueprintjs/icons';
import type { CampaignWire } from '@zakup/contracts/wire-entities';
import { formatNumber } from '@zakup/domain/russian';
import { memo, type ReactNode, type RefObject } from 'react';
import { CampaignFigure } from '../../../shared/explanations/campaign-figure.tsx';
import { campaignOperands } from '../../../shared/campaign/operands.ts';
import { usePredictedCampaign } from '../../../shared/predictions/use-predicted-campaign.ts';
import type { GridColumn } from '../../../shared/table/grid-column.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Chip } from '../../../shared/ui/chip.tsx';
import { lazyPart } from '../../../shared/ui/lazy-part.tsx';
import { roubles } from '../../../shared/money/roubles.ts';
import type { PlacementRow } from '../rows/placement-row.ts';
import { usualSorting, type TableState } from './table-state.ts';
import { viewText } from './view-address.ts';
import { ColumnsButton, FilterButton, MoreButton, SearchBox, TakenDownNote } from './table-bar.tsx';
import type { TableActions } from './use-placement-table.ts';

const ViewsButton = lazyPart(async () => (await import('../views/views-button.tsx')).ViewsButton, {
  waiting: (
    <Button look="plain" small disabled>
      Виды
    </Button>
  ),
});
const CardOrder = lazyPart(async () => (await import('../cards/card-order.tsx')).CardOrder);

/** How many placements there are and what they cost, for a screen without a row of totals. */
const Sums = ({ campaignId, otherwise }: { readonly campaignId: string; readonly otherwise: string }) => {
  const summary = usePredictedCampaign(campaignId).analytics?.summary;
  if (summary === undefined) return otherwise;
  const operands = campaignOperands(summary);
  return (
    <>
      <CampaignFigure campaignId={campaignId} figure="placements" operands={operands}>
        {formatNumber(summary.totalPlacements)}
      </CampaignFigure>
      {' · '}
      <CampaignFigure campaignId={campaignId} figure="spent" operands={operands}>
        {roubles(summary.spentBudget)}
      </CampaignFigure>
    </>
  );
};

interface PlacementsHeadProps {
  readonly campaign: CampaignWire;
  /** The channel and the campaign in it. */
  readonly title: string;
  readonly columns: readonly GridColumn<PlacementRow>[];
  /** There are placements, in sight or not. */
  readonly hasRows: boolean;
  /** How many only their status keeps out of sight. */
  readonly takenDown: number;
  readonly table: TableState;
  /** How many filters are on. */
  readonly filterCount: number;
  readonly actions: TableActions;
  readonly narrow: boolean;
  readonly readOnly: boolean;
  /** What is to be said of the rows that are in sight, in the place of the title; null = nothing. On a phone it has a line of its own. */
  readonly said: ReactNode;
  /** What is to be said of all of them, in the same place where that is free; false = nothing. */
  readonly notice: ReactNode;
  readonly search: RefObject<HTMLInputElement | null>;
  readonly onLeaveSearch: () => void;
  /** `null` = this person may not take files along. */
  readonly onExport: ((format: 'csv' | 'xlsx') => void) | null;
  /** Puts the address of what is shown on the clipboard. */
  readonly onCopyLink: () => void;
  /** `null` = this person may not add any. */
  readonly onRepeat: (() => void) | null;
  readonly onKeys: () => void;
}

/** Heading of the placements, with what narrows and lays out the table. A change of a placement does not paint it anew. */
export const PlacementsHead = memo(
  ({
    campaign,
    title,
    columns,
    hasRows,
    takenDown,
    table: { filters, sorting, cardSorting, hidden, arrangement, grouping, selectedContractorId },
    filterCount,
    actions,
    narrow,
    readOnly,
    said,
    notice,
    search,
    onLeaveSearch,
    onExport,
    onCopyLink,
    onRepeat,
    onKeys,
  }: PlacementsHeadProps) => {
    const free = said === null ? notice || null : null;
    return (
      <header className="z-placements-head">
        <h2 id="placements">Размещения</h2>
        {!narrow && (said ?? free ?? <span className="z-secondary">{title}</span>)}
        {readOnly && (free === null || narrow) && (
          <span className="z-placements-lock">
            <Chip icon={<Lock size={12} />}>Только чтение</Chip>
          </span>
        )}
        {!narrow && said === null && free === null && <TakenDownNote count={takenDown} onFilter={actions.setFilters} />}
        {hasRows && (
          <span className="z-table-bar">
            {!narrow && (
              <SearchBox
                value={filters.search}
                input={search}
                onChange={(text) => actions.setFilters({ search: text })}
                onLeave={onLeaveSearch}
              />
            )}
            <FilterButton
              campaignId={campaign.id}
              filters={filters}
              contractorId={selectedContractorId}
              count={filterCount}
              narrow={narrow}
              onChange={actions.setFilters}
              onContractor={actions.setContractor}
              onReset={actions.reset}
              order={narrow && <CardOrder sorting={cardSorting} onChange={actions.setCardSorting} />}
            />
            <ViewsButton
              key={campaign.id}
              campaignId={campaign.id}
              current={viewText({
                filters,
                contractorId: selectedContractorId,
                sorting: narrow ? cardSorting : sorting,
                grouping,
                page: 1,
              })}
              usual={usualSorting(narrow)}
            />
            {!narrow && (
              <ColumnsButton
                columns={columns}
                hidden={hidden}
                onChange={actions.setHidden}
                arrangement={arrangement}
                onArrange={actions.setArrangement}
              />
            )}
            <MoreButton
              onExport={onExport}
              onPrint={() => window.print()}
              onCopyLink={onCopyLink}
              onRepeat={onRepeat}
              grouping={grouping}
              onGrouping={actions.setGrouping}
              onKeys={narrow ? null : onKeys}
            />
          </span>
        )}
        {narrow && (
          <div className="z-said-of-rows">
            {said ?? (
              <span className="z-secondary">
                <Sums campaignId={campaign.id} otherwise={title} />
              </span>
            )}
            {free}
            {said === null && <TakenDownNote short count={takenDown} onFilter={actions.setFilters} />}
          </div>
        )}
      </header>
    );
  },
);
