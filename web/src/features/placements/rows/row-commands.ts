import { today } from '@zakup/domain/calendar';
import { formatRoubles, fromRoubles, kopecks } from '@zakup/domain/money';
import { formatNumber, plural } from '@zakup/domain/russian';
import { showPayment } from '@zakup/domain/topics';
import { requestReveal } from '../../../shared/campaign/reveal-requests.ts';
import { batchDraft, maxBatchSize } from '../../../shared/outbox/batch.ts';
import type { Outbox } from '../../../shared/outbox/outbox.ts';
import { announce, toasts } from '../../../shared/toasts/toasts.ts';
import { offerUndo } from '../../../shared/undo/undo-requests.ts';
import type { PlacementForm } from '../dialogs/placement-form.ts';
import { duplicatedRows } from './duplicated-rows.ts';
import { oneCommand } from './block-changes.ts';
import { firstMade, inMadeOrder } from './made-order.ts';
import { addDraft, otherPayment, outcomeOf } from './placement-commands.ts';
import type { PlacementRow } from './placement-row.ts';
import { leftText, type RowsChange, withField, withoutRows } from './rows-change.ts';
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

/** `12 размещений на 64 800 ₽`. */
export const withSum = (rows: readonly PlacementRow[], joint: ' на' | ','): string => {
  const sum = rows.reduce((total, { placement }) => total + (fromRoubles(placement.price) ?? 0), 0);
  return `${placementsText(rows.length)}${joint} ${formatRoubles(kopecks(sum))}`;
};

/** Says so and answers true where there are more rows than one command takes. */
const areTooMany = (count: number): boolean => {
  if (count > maxBatchSize)
    toasts.error(`Строк больше, чем меняется за один раз (${formatNumber(maxBatchSize)}). Ничего не изменено`);
  return count > maxBatchSize;
};

/** Ids of the placements of which the server carried out their part of a batch; the others wait, each at its row. */
const doneParts = async (outbox: Outbox, id: string): Promise<ReadonlySet<string>> => {
  const outcome = await outcomeOf(outbox, id);
  const done = outcome?.kind === 'accepted' ? outbox.entries().find((entry) => entry.id === id) : undefined;
  return new Set(done?.parts?.map(({ target }) => target.id));
};

/** Adds placements as one command, and shows the first of them as a new one. */
export const addForms = async (
  forms: readonly PlacementForm[],
  label: string,
  { outbox, placements: { campaignId, actions }, personId }: RowDeps,
): Promise<void> => {
  const [first] = forms;
  if (first === undefined || areTooMany(forms.length)) return;
  if (forms.length === 1) return actions.add(first);
  const drafts = forms.map((form) => addDraft(campaignId, form));
  const command = batchDraft(drafts, `${label}: ${placementsText(forms.length)}`);
  const id = outbox.issue(inMadeOrder(command, personId));
  const placementId = firstMade(outbox.entries().find((entry) => entry.id === id));
  if (placementId !== null) requestReveal({ campaignId, placementId });
  const { size } = await doneParts(outbox, id);
  // They are shown where they stand: nothing lies over the table for it.
  if (size > 0) announce(`Добавлено: ${placementsText(size)}`);
};

/** Adds rows once more as one command, and shows the first of them as a new one. */
export const duplicateRows = async (
  rows: readonly PlacementRow[],
  { outbox, placements, personId }: RowDeps,
): Promise<void> => {
  if (areTooMany(rows.length)) return;
  const { campaignId, choices, rights } = placements;
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
  await addForms(forms, 'Копии', { outbox, placements, personId });
};

/** Does what was chosen for rows, as one command. */
export const changeRows = (change: RowsChange, label: string, { outbox }: Pick<RowDeps, 'outbox'>): void => {
  const { length } = change.drafts;
  if (areTooMany(length)) return;
  const command = oneCommand(change.drafts, `${label}, ${placementsText(length)}`);
  if (command === null) return;
  outbox.issue(command);
  const left = leftText(change);
  if (left === '') announce(`Изменено: ${placementsText(length)}`);
  else toasts.info(`Изменено: ${placementsText(length)}. Остались как были: ${left}`);
};

/** Gives rows the payment that a press on one of them makes of it, as one command. */
export const payRows = (
  rows: readonly PlacementRow[],
  row: PlacementRow,
  { outbox, placements: { names, rights } }: Pick<RowDeps, 'outbox' | 'placements'>,
): void => {
  const status = otherPayment(row);
  const others = rows.filter(({ placement }) => placement.paymentStatus !== status);
  const change = withField(others, 'paymentStatus', status, names, rights);
  if (change.drafts.length === 0) toasts.info(`Ничего не изменено: ${leftText(change)}`);
  else changeRows(change, `Оплата: ${showPayment(status)}`, { outbox });
};

/** Removes rows as one command, with the way back where they may be brought back. */
export const removeRows = async (
  all: readonly PlacementRow[],
  { outbox, placements: { actions, rights } }: RowDeps,
): Promise<void> => {
  const { rows, drafts } = withoutRows(all, rights);
  const [first] = rows;
  if (first === undefined || areTooMany(rows.length)) return;
  if (rows.length === 1) return actions.remove(first, rights.restorable(first));
  const issued = outbox.issue(batchDraft(drafts, `Удаление: ${placementsText(rows.length)}`));
  const gone = await doneParts(outbox, issued);
  const removed = rows.filter(({ id }) => gone.has(id));
  if (removed.length === 0) return;
  const told = `Удалено: ${withSum(removed, ',')}`;
  // Undone as one, or not at all.
  if (removed.every(rights.restorable)) offerUndo(issued, told);
  else toasts.info(told);
};
