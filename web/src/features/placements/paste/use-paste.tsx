import { type ReactNode, useEffect, useState } from 'react';
import { useAsker } from '../../../shared/live/use-may.ts';
import { useOutbox } from '../../../shared/outbox/outbox-context.tsx';
import { useSession } from '../../../shared/session/session-context.tsx';
import type { CellBlock } from '../../../shared/table/grid-range.ts';
import type { PastedClip } from '../../../shared/ui/single-value-paste.ts';
import { toasts } from '../../../shared/toasts/toasts.ts';
import { failedDialog } from '../../../shared/ui/failed-dialog.tsx';
import { lazyPart } from '../../../shared/ui/lazy-part.tsx';
import type { PlacementRow } from '../rows/placement-row.ts';
import type { CampaignPlacements } from '../rows/use-campaign-placements.ts';
import type { PendingPaste } from './paste.ts';

/** Not of the first load: both come behind it, so that they are there when a line is lost. */
const pasting = () => import('./paste.ts');
const pasteDialog = async () => (await import('./paste-dialog.tsx')).PasteDialog;

const PasteDialog = lazyPart(pasteDialog, { failed: failedDialog });

/** Pastes blocks of cells into the placements of a campaign; what is to be shown before it is done is `preview`. */
export const usePaste = (
  placements: CampaignPlacements,
): { readonly onPaste: (clip: PastedClip, at: CellBlock<PlacementRow>) => void; readonly preview: ReactNode } => {
  const outbox = useOutbox();
  const asker = useAsker();
  const { person } = useSession();
  const [pending, onPending] = useState<PendingPaste | null>(null);
  useEffect(() => void Promise.all([pasting(), pasteDialog()]).catch(() => undefined), []);
  return {
    onPaste: (clip, at) =>
      void pasting().then(
        ({ paste }) => paste(clip, at, { placements, personId: person.id, asker, outbox, onPending }),
        () => toasts.error('Не загрузилось, ничего не вставлено. Попробуйте ещё раз'),
      ),
    preview: pending && <PasteDialog pending={pending} onClose={() => onPending(null)} />,
  };
};
