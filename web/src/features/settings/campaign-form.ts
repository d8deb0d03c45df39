import type { CampaignWire } from '@zakup/contracts/wire-entities';
import { fromRoubles, parseRoubles } from '@zakup/domain/money';
import { fieldText, optionalRoublesOf, rateOf, roublesOf } from './amounts.ts';
import { roubles } from '../../shared/money/roubles.ts';
import { textOf } from '../../shared/form/use-entity-form.ts';
import type { FormValues } from '../../shared/form/use-form-edits.ts';

/** A participant as the form holds it: sums and rates as typed; a blank scheme leaves the person's own terms. */
export interface ParticipantValues {
  readonly userId: string;
  readonly budget: string;
  readonly salaryType: string;
  readonly salaryRate: string;
  readonly cplThreshold: string;
}

const prefix = 'participants/';

export const campaignValues = (campaign: CampaignWire | null): FormValues => ({
  name: campaign?.name ?? '',
  channelId: campaign?.channelId ?? '',
  totalBudget: fieldText(campaign?.totalBudget ?? null),
  status: campaign?.status ?? 'ACTIVE',
  startDate: campaign?.startDate ?? '',
  endDate: campaign?.endDate ?? '',
  ...Object.fromEntries(
    (campaign?.participants ?? []).map((one): [string, ParticipantValues] => [
      prefix + one.userId,
      {
        userId: one.userId,
        budget: fieldText(one.budget),
        salaryType: one.salaryType ?? '',
        salaryRate: fieldText(one.salaryRate),
        cplThreshold: fieldText(one.cplThreshold),
      },
    ]),
  ),
});

/** Those in the form, in the order in which they were added; one taken out is held as null. */
export const participantsOf = (values: FormValues): readonly ParticipantValues[] =>
  Object.entries(values)
    .filter(([field, value]) => field.startsWith(prefix) && value !== null)
    .map(([, value]) => value as ParticipantValues);

const participantBody = (one: ParticipantValues) => ({
  userId: one.userId,
  budget: roublesOf(one.budget),
  salaryType: one.salaryType === '' ? null : one.salaryType,
  salaryRate: one.salaryType === '' ? null : rateOf(one.salaryRate),
  cplThreshold: one.salaryType === 'performance' ? optionalRoublesOf(one.cplThreshold) : null,
});

/** Members for the fields touched; participants go as a whole list, those not touched as they were seen. */
export const campaignBody = (
  values: FormValues,
  touched: ReadonlySet<string>,
  seen: CampaignWire | null,
): Readonly<Record<string, unknown>> => {
  const text = (field: string): string => textOf(values[field]);
  const members: Readonly<Record<string, unknown>> = {
    name: text('name'),
    channelId: text('channelId'),
    totalBudget: roublesOf(text('totalBudget')),
    status: text('status'),
    startDate: text('startDate') === '' ? null : text('startDate'),
    endDate: text('endDate') === '' ? null : text('endDate'),
  };
  return {
    ...Object.fromEntries(Object.entries(members).filter(([field]) => touched.has(field))),
    ...([...touched].some((field) => field.startsWith(prefix)) && {
      participants: participantsOf(values).map((one) => {
        const before = seen?.participants.find(({ userId }) => userId === one.userId);
        return before === undefined || touched.has(prefix + one.userId) ? participantBody(one) : before;
      }),
    }),
  };
};

/** By how much the participants' budgets exceed the whole, in kopecks; 0 when they fit or a sum cannot be read. */
export const budgetExcess = (values: FormValues): number => {
  const total = parseRoubles(textOf(values['totalBudget']));
  if (total === null) return 0;
  let shared = 0;
  for (const { budget } of participantsOf(values)) shared += parseRoubles(budget) ?? 0;
  return Math.max(0, shared - total);
};

export const campaignFieldLabels: Readonly<Record<string, string>> = {
  name: 'Название',
  channelId: 'Канал',
  totalBudget: 'Общий бюджет',
  status: 'Статус',
  startDate: 'Начало',
  endDate: 'Конец',
};

/** A participant's budget as a conflict shows it. */
export const showParticipant = (value: unknown): string => {
  if (typeof value !== 'object' || value === null) return 'не участвует';
  const { budget } = value as { readonly budget?: unknown };
  return typeof budget === 'number' && fromRoubles(budget) !== null ? `бюджет ${roubles(budget)}` : 'участвует';
};
