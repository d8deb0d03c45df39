import type { CampaignWire } from '@zakup/contracts/wire-entities';
import { may } from '@zakup/domain/permissions';
import { useMemo } from 'react';
import { useAsker } from '../../../shared/live/use-may.ts';
import { useRights } from '../../../shared/session/use-rights.ts';
import type { PlacementRow } from './placement-row.ts';

export interface PlacementRights {
  /** Nothing of the campaign's placements may be changed. */
  readonly readOnly: boolean;
  readonly mayAdd: boolean;
  /** Whether a placement of this buyer may be added, as far as the person's rights go. */
  readonly mayAddFor: (buyerId: string) => boolean;
  readonly mayExport: boolean;
  readonly mayImport: boolean;
  /** Whether this row may be changed. */
  readonly editable: (row: PlacementRow) => boolean;
  /** Whether this row may be brought back once it is removed. */
  readonly restorable: (row: PlacementRow) => boolean;
}

/** What the signed-in person may do to the placements of a campaign now; the same object while that stays as it is. */
export const usePlacementRights = ({ status }: CampaignWire): PlacementRights => {
  const asker = useAsker();
  // Of the past too, which changes nothing.
  const { actor } = useRights();
  const mayExport = may(actor, 'campaign.export').allowed;
  return useMemo(() => {
    const open = status !== 'COMPLETED';
    const readOnly = !open || asker === null || !may(asker, 'placement.change', 'some').allowed;
    return {
      readOnly,
      mayAdd: open && asker !== null && may(asker, 'placement.add', 'some').allowed,
      mayAddFor: (buyerId) => open && asker !== null && may(asker, 'placement.add', { buyerId }).allowed,
      mayExport,
      mayImport: open && asker !== null && may(asker, 'placement.import').allowed,
      editable: ({ kind, leaving, stored: { buyerId } }) =>
        asker !== null &&
        !readOnly &&
        kind === 'stored' &&
        !leaving &&
        may(asker, 'placement.change', { buyerId }).allowed,
      restorable: ({ stored: { buyerId } }) => asker !== null && may(asker, 'placement.restore', { buyerId }).allowed,
    };
  }, [asker, status, mayExport]);
};
