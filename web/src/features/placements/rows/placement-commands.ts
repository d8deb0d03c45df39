import { placementField, placementFields } from '@zakup/contracts/placement-fields';
import { showDate } from '../../../shared/day/shown-day.ts';
import { noCreative, type PaymentStatus } from '@zakup/domain/placement/events';
import { placementStatusLabels } from '@zakup/domain/placement/labels';
import { formatNumber } from '@zakup/domain/russian';
import { showPayment } from '@zakup/domain/topics';
import type { CommandDraft } from '../../../shared/outbox/entry.ts';
import { roubles } from '../../../shared/money/roubles.ts';
import type { Outbox } from '../../../shared/outbox/outbox.ts';
import { addBody, type PlacementForm } from '../dialogs/placement-form.ts';
import { type Names, type PlacementRow, withoutCreative } from './placement-row.ts';

/** The nick of a contractor travels under a name of its own. */
const otherNames: Readonly<Record<string, string>> = {
  contractor: placementFields.contractorId.label,
  deleted: 'Удаление',
};

export const fieldName = (field: string): string => placementField(field)?.label ?? otherNames[field] ?? field;

/** Whether a field has nothing in it. */
export const isEmptyField = (value: unknown): boolean => value === undefined || value === null || value === '';

/** A value of a field as a person reads it. */
export const fieldText = (field: string, value: unknown, names: Names): string => {
  if (isEmptyField(value)) return field === 'creativeId' ? withoutCreative : 'пусто';
  switch (field) {
    case 'price':
      return typeof value === 'number' ? roubles(value) : String(value);
    case 'leads':
      return typeof value === 'number' ? formatNumber(value) : String(value);
    case 'date':
      return showDate(String(value));
    case 'buyerId':
      return names.users.get(String(value))?.name ?? String(value);
    case 'contractorId':
      return names.contractors.get(String(value))?.adminUsername ?? String(value);
    case 'creativeId':
      return value === noCreative ? withoutCreative : (names.creatives.get(String(value))?.name ?? String(value));
    case 'paymentStatus':
      return showPayment(String(value));
    case 'status':
      return placementStatusLabels[String(value) as keyof typeof placementStatusLabels] ?? String(value);
    case 'deleted':
      return value === true ? 'удалено' : 'не удалено';
    default:
      return String(value);
  }
};

const onPlacement = (row: PlacementRow): Pick<CommandDraft, 'target' | 'baseRevision' | 'scope'> => ({
  target: { kind: 'placement', id: row.id },
  baseRevision: row.stored.revision,
  scope: `campaign:${row.stored.campaignId}`,
});

/** PATCH with the given members (a contractor by its nick). */
export const changeDraft = (
  row: PlacementRow,
  body: Readonly<Record<string, unknown>>,
  names: Names,
): CommandDraft => ({
  ...onPlacement(row),
  method: 'PATCH',
  path: `/api/placements/${row.id}`,
  body,
  label: Object.entries(body)
    .map(([field, value]) => `${fieldName(field)}: ${fieldText(field, value, names)}`)
    .join(', '),
});

/** What a press on the payment makes of it. */
export const otherPayment = ({ placement }: PlacementRow): PaymentStatus =>
  placement.paymentStatus === 'paid' ? 'unpaid' : 'paid';

/** Without a status paid becomes unpaid, anything else becomes paid. */
export const paymentDraft = (row: PlacementRow, paymentStatus: PaymentStatus = otherPayment(row)): CommandDraft => {
  return {
    ...onPlacement(row),
    method: 'POST',
    path: `/api/placements/${row.id}/payment`,
    body: { paymentStatus },
    label: `Оплата: ${showPayment(paymentStatus)}`,
  };
};

export const removeDraft = (row: PlacementRow): CommandDraft => ({
  ...onPlacement(row),
  method: 'DELETE',
  path: `/api/placements/${row.id}`,
  body: { deleted: true },
  label: `Удаление: ${row.nick}`,
});

export const addDraft = (campaignId: string, form: PlacementForm): CommandDraft => {
  const body = addBody(campaignId, form);
  return {
    target: { kind: 'placement', id: null },
    method: 'POST',
    path: '/api/placements',
    body,
    baseRevision: null,
    label: `Размещение ${body.contractor}, ${roubles(body.price)}`,
    scope: `campaign:${campaignId}`,
  };
};

export type Outcome = { readonly kind: 'accepted' } | { readonly kind: 'rejected'; readonly reason: string };

/** Resolves when the server has answered a command for good; `null` when it was taken back before. */
export const outcomeOf = (outbox: Pick<Outbox, 'entries' | 'subscribe'>, id: string): Promise<Outcome | null> =>
  new Promise((resolve) => {
    const look = (): boolean => {
      const entry = outbox.entries().find((one) => one.id === id);
      if (!entry) resolve(null);
      else if (entry.state.kind === 'acknowledged') resolve({ kind: 'accepted' });
      else if (entry.state.kind === 'rejected') resolve({ kind: 'rejected', reason: entry.state.reason });
      else return false;
      return true;
    };
    if (look()) return;
    const stop = outbox.subscribe(() => {
      if (look()) stop();
    });
  });
