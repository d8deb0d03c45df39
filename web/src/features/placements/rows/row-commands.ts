import { today } from '@zakup/domain/calendar';
import { formatNumber, plural } from '@zakup/domain/russian';
import { requestReveal } from '../../../shared/campaign/reveal-requests.ts';
import { batchDraft, maxBatchSize } from '../../../shared/outbox/batch.ts';
import type { CommandDraft } from '../../../shared/outbox/entry.ts';
import type { Outbox } from '../../../shared/outbox/outbox.ts';
import { toasts } from '../../../shared/toasts/toasts.ts';
import { duplicatedRows } from './duplicated-rows.ts';
import { addDraft, outcomeOf } from './placement-commands.ts';
import type { PlacementRow } from './placement-row.ts';
import type { CampaignPlacements } from './use-campaign-placements.ts';

/** What commands of several rows are made with. */
export interface RowDeps {
  readonly outbox: Outbox;
  readonly placements: CampaignPlacements;
  readonly personId: string;
}

/** `1 200 размещений`. */
export const placementsText = (count: number): string =>
  `${formatNumber(count)} ${plural(count, 'размещение', 'размещения', 'размещений')}`;

/** Says so and answers true where there are more rows than one command takes. */
const areTooMany = (count: number): boolean => {
  if (count > maxBatchSize)
    toasts.error(`Строк больше, чем меняется за один раз (${formatNumber(maxBatchSize)}). Ничего не изменено`);
  return count > maxBatchSize;
};

/** How many parts of a batch the server carried out; the others wait, each at its row. */
const doneParts = async (outbox: Outbox, id: string): Promise<number> => {
  const outcome = await outcomeOf(outbox, id);
  return outcome?.kind === 'accepted' ? (outbox.entries().find((entry) => entry.id === id)?.parts?.length ?? 0) : 0;
};

const issueAll = (outbox: Outbox, drafts: readonly CommandDraft[], label: string): string =>
  outbox.issue(batchDraft(drafts, label));

/** Adds rows once more as one command, and shows the first of them as a new one. */
export const duplicateRows = async (
  rows: readonly PlacementRow[],
  { outbox, placements: { campaignId, choices, rights, actions }, personId }: RowDeps,
): Promise<void> => {
  if (areTooMany(rows.length)) return;
  const { mayAddFor } = rights;
  const { forms, skipped, reasons } = duplicatedRows(rows, {
    campaignId,
    choices,
    mayAddFor,
    personId,
    today: today(Date.now()),
  });
  if (skipped > 0) {
    const why = reasons.slice(0, 3).join('; ');
    toasts.info(forms.length === 0 ? `Ничего не добавлено: ${why}` : `Пропущено: ${placementsText(skipped)} (${why})`);
  }
  const [first] = forms;
  if (first === undefined) return;
  if (forms.length === 1) return actions.add(first);
  const drafts = forms.map((form) => addDraft(campaignId, form));
  const id = issueAll(outbox, drafts, `Копии: ${placementsText(forms.length)}`);
  const placementId = outbox.entries().find((entry) => entry.id === id)?.target.id;
  if (placementId !== undefined) requestReveal({ campaignId, placementId });
  const done = await doneParts(outbox, id);
  if (done > 0) toasts.success(`Добавлено: ${placementsText(done)}`);
};
