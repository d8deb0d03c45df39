import { today } from '@zakup/domain/calendar';
import { formatNumber } from '@zakup/domain/russian';
import { useEffect, useMemo, useState } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { failedDialog } from '../../../shared/ui/failed-dialog.tsx';
import { lazyPart } from '../../../shared/ui/lazy-part.tsx';
import { useNow } from '../../../shared/ui/use-now.ts';
import type { CampaignPlacements } from '../rows/use-campaign-placements.ts';
import { isAwaitingLeads } from './awaiting-leads.ts';

const leadsEntry = async () => (await import('./leads-entry.tsx')).LeadsEntry;
const LeadsEntry = lazyPart(leadsEntry, { failed: failedDialog });

/** Opens the list in which 'Приход' is entered, and says for how many placements it is to be. */
export const LeadsEntryButton = ({ placements }: { readonly placements: CampaignPlacements }) => {
  const { rows, rights } = placements;
  const { editable } = rights;
  const [isOpen, setOpen] = useState(false);
  const day = today(useNow());
  const count = useMemo(
    () => rows.filter((row) => isAwaitingLeads(row, day) && editable(row)).length,
    [rows, day, editable],
  );
  // Not of the first load: it comes behind it, so that it is there when a line is lost.
  useEffect(() => void leadsEntry().catch(() => undefined), []);
  return (
    <>
      <Button className="z-leads-button" onClick={() => setOpen(true)}>
        Внести приход
        {count > 0 && <span className="z-secondary">{formatNumber(count)}</span>}
      </Button>
      {isOpen && <LeadsEntry placements={placements} day={day} onClose={() => setOpen(false)} />}
    </>
  );
};
