import type { CampaignWire } from '@zakup/contracts/wire-entities';
import { useMemo } from 'react';
import { useDoc } from '../../../shared/replica/replica-context.tsx';
import { useNarrow } from '../../../shared/ui/use-media.ts';
import { placementColumns } from '../columns/placement-columns.tsx';
import { usePlacementDialog } from '../dialogs/use-placement-dialog.ts';
import { useTableState } from '../filters/table-state.ts';
import { usePlacementTable } from '../filters/use-placement-table.ts';
import { useChoices } from './use-choices.ts';
import { usePlacementActions } from './use-placement-actions.ts';
import { usePlacementRights } from './use-placement-rights.ts';
import { useNames, usePlacementRows } from './use-placement-rows.ts';
import { useRevealedPlacement } from './use-revealed-placement.ts';
import { useRowsPreview } from './use-rows-preview.ts';

/** The placements of a campaign: its rows, what of them is shown and how, what may be done to them, and the dialog over one. */
export const useCampaignPlacements = (campaign: CampaignWire) => {
  const campaignId = campaign.id;
  const narrow = useNarrow();
  const names = useNames();
  const choices = useChoices();
  const view = useTableState(campaignId);
  const asked = useRowsPreview(campaignId, view[0], narrow);
  const { rows, moving, settled, preview } = usePlacementRows(campaignId, names, asked);
  const analytics = useDoc('analytics', preview ? campaignId : null);
  const all = analytics?.summary.totalPlacements ?? rows.length;
  const rights = usePlacementRights(campaign);
  const actions = usePlacementActions(campaignId, names);
  const { dialog, openers, closeDialog } = usePlacementDialog();
  const { editable } = rights;
  const { togglePayment } = actions;
  const columns = useMemo(
    () => placementColumns({ choices, editable, onTogglePayment: togglePayment, ...openers }),
    [choices, editable, togglePayment, openers],
  );
  const table = usePlacementTable(view, { rows, columns, names, preview });
  const { revealed, showInPlace, hide } = useRevealedPlacement({ campaignId, rows, names, table, narrow });
  return {
    campaignId,
    narrow,
    names,
    choices,
    rows,
    moving,
    settled,
    preview,
    /** How many placements there are, here or still on their way. */
    all,
    rights,
    actions,
    table,
    columns,
    dialog,
    openers,
    closeDialog,
    revealed,
    showInPlace,
    hideRevealed: hide,
  };
};

export type CampaignPlacements = ReturnType<typeof useCampaignPlacements>;
