import { requestReveal } from '../../../shared/campaign/reveal-requests.ts';
import { today } from '@zakup/domain/calendar';
import { may, type Person } from '@zakup/domain/permissions';
import { formatNumber, plural } from '@zakup/domain/russian';
import { maxBatchSize } from '../../../shared/outbox/batch.ts';
import type { Outbox } from '../../../shared/outbox/outbox.ts';
import type { CellBlock } from '../../../shared/table/grid-range.ts';
import type { PastedClip } from '../../../shared/ui/single-value-paste.ts';
import { mostCells, mostRows, type PastedBlock, pastedBlock } from '../../../shared/table/pasted-block.ts';
import { toasts } from '../../../shared/toasts/toasts.ts';
import { oneCommand } from '../rows/block-changes.ts';
import { cellsText } from '../rows/block-commands.ts';
import { firstMade, inMadeOrder } from '../rows/made-order.ts';
import type { PlacementRow } from '../rows/placement-row.ts';
import type { CampaignPlacements } from '../rows/use-campaign-placements.ts';
import { pasteDrafts } from './paste-drafts.ts';
import { type PasteDeps, type PastePlan, type PasteTarget, planPaste, type SkippedCell } from './paste-plan.ts';

type Block = Extract<PastedBlock, { readonly kind: 'block' }>;

/** What waits for a person's yes. */
export interface PendingPaste {
  readonly block: Block;
  readonly target: PasteTarget;
  readonly campaignId: string;
  /** As they were when it was pasted. */
  readonly deps: PasteDeps;
  readonly personId: string;
}

/** The rows of the view from the block on: those of later pages too where it is longer than the page. */
export const pasteTarget = (
  { rows: block }: Block,
  at: CellBlock<PlacementRow>,
  { table: { page, shown } }: Pick<CampaignPlacements, 'table'>,
): PasteTarget => {
  const pageEnd = at.rows.length;
  if (page === undefined || at.top + block.length <= pageEnd) return { ...at, pageEnd };
  const onPage = new Set(at.rows.map(({ id }) => id));
  const later = shown.slice(page.number * page.size).filter(({ id }) => !onPage.has(id));
  return { ...at, rows: [...at.rows, ...later], pageEnd };
};

export const placementsText = (count: number): string =>
  `${formatNumber(count)} ${plural(count, 'размещение', 'размещения', 'размещений')}`;

/** Reasons of what is left out, each once. */
const reasonsText = (skipped: readonly SkippedCell[]): string =>
  [...new Set(skipped.map(({ reason }) => reason))].slice(0, 3).join('; ');

const doneText = ({ changed, additions, skipped }: PastePlan): string => {
  const done = [
    ...(additions.length > 0 ? [`новых: ${placementsText(additions.length)}`] : []),
    ...(changed.length > 0 ? [`изменено: ${cellsText(changed.length)}`] : []),
    ...(skipped.length > 0 ? [`пропущено: ${formatNumber(skipped.length)} (${reasonsText(skipped)})`] : []),
  ];
  return done.join(', ');
};

/** One command of a whole plan, said with what is left out. */
export const carryOut = (
  plan: PastePlan,
  { campaignId, deps: { names }, personId }: Pick<PendingPaste, 'campaignId' | 'deps' | 'personId'>,
  outbox: Pick<Outbox, 'issue' | 'entries'>,
): void => {
  const drafts = pasteDrafts(plan, campaignId, names);
  if (drafts.length > maxBatchSize) return void toasts.error(tooManyText(drafts.length));
  const command = oneCommand(drafts, `Вставка: ${cellsText(plan.cells)}`);
  if (command === null) {
    toasts.info(plan.skipped.length > 0 ? `Ничего не вставлено: ${reasonsText(plan.skipped)}` : 'Здесь уже так');
    return;
  }
  const id = outbox.issue(inMadeOrder(command, personId));
  const placementId = firstMade(outbox.entries().find((entry) => entry.id === id));
  const show =
    placementId === null ? undefined : { text: 'Показать', run: () => void requestReveal({ campaignId, placementId }) };
  const say = plan.skipped.length > 0 ? toasts.info : toasts.success;
  say(`Вставлено, ${doneText(plan)}`, show);
};

export const tooManyText = (count: number): string =>
  `Изменений ${formatNumber(count)}, а за один раз вставляется не больше ${formatNumber(maxBatchSize)}`;

interface Pasting {
  readonly placements: CampaignPlacements;
  readonly personId: string;
  /** Who pastes, as rights are asked; `null` = nobody may. */
  readonly asker: Person | null;
  readonly outbox: Outbox;
  /** Shows what it would do. */
  readonly onPending: (pending: PendingPaste) => void;
}

const pasteDeps = ({ placements: { names, choices, rights }, personId, asker }: Pasting): PasteDeps => ({
  names,
  choices,
  today: today(Date.now()),
  ownBuyerId: choices.buyers.some(({ value }) => value === personId) ? personId : '',
  mayAdd: rights.mayAdd,
  editable: rights.editable,
  mayGive: (buyerId, newBuyerId) => asker !== null && may(asker, 'placement.change', { buyerId, newBuyerId }).allowed,
});

/** Whether lines would go over rows that are still on their way, and would become new placements instead. */
const isBeyondPreview = (
  { rows }: Block,
  at: CellBlock<PlacementRow>,
  { preview, table }: CampaignPlacements,
): boolean => {
  if (preview === null || at.top >= at.rows.length || at.top + rows.length <= at.rows.length) return false;
  const before = table.page === undefined ? 0 : (table.page.number - 1) * table.page.size;
  return before + preview.docs.length < preview.total;
};

/** Up to 20 cells that are clear are pasted at once; anything else is shown before. */
export const paste = (clip: PastedClip, at: CellBlock<PlacementRow>, pasting: Pasting): void => {
  const { placements, outbox, onPending, personId } = pasting;
  if (placements.rights.readOnly) {
    toasts.info('Здесь размещения только для чтения, ничего не вставлено');
    return;
  }
  const block = pastedBlock(clip);
  if (block.kind === 'nothing') return;
  if (block.kind === 'tooLarge') {
    const most = `${formatNumber(mostRows)} ${plural(mostRows, 'строка', 'строки', 'строк')} и ${cellsText(mostCells)}`;
    toasts.error(`Слишком много: за один раз вставляется не больше ${most}. Ничего не изменено`);
    return;
  }
  if (isBeyondPreview(block, at, placements)) {
    toasts.info('Строки ниже ещё загружаются, ничего не вставлено');
    return;
  }
  const target = pasteTarget(block, at, placements);
  const pending: PendingPaste = {
    block,
    target,
    campaignId: placements.campaignId,
    deps: pasteDeps(pasting),
    personId,
  };
  const plan = planPaste(block, target, {}, pending.deps);
  if (plan.needsPreview) onPending(pending);
  else carryOut(plan, pending, outbox);
};
