import type { CampaignWire } from '@zakup/contracts/entities';
import { changeCampaignRequest, createCampaignRequest } from '@zakup/contracts/requests/catalog.requests';
import { campaignStatusLabels } from '@zakup/domain/topics';
import { useDocs } from '../../shared/replica/replica-context.tsx';
import { DayField } from '../../shared/day/day-field.tsx';
import { NumberField } from '../../shared/form/number-field.tsx';
import { announce } from '../../shared/toasts/toasts.ts';
import { Field, TextField } from '../../shared/ui/field.tsx';
import { SelectField } from '../../shared/ui/select-field.tsx';
import { campaignBody, campaignFieldLabels, campaignValues, showParticipant } from './campaign-form.ts';
import { byName } from './channels-tab.tsx';
import { roubles } from '../../shared/money/roubles.ts';
import { EntityDialog } from '../../shared/form/entity-dialog.tsx';
import { useEntityForm } from '../../shared/form/use-entity-form.ts';
import { useMade } from '../../shared/form/use-made.ts';
import { ParticipantsFields } from './participants-fields.tsx';

interface Answer {
  readonly campaign: CampaignWire;
}

/** A new campaign, or changes to one. Completing and reopening stand in the list. */
export const CampaignDialog = ({
  campaign: given,
  channelId = '',
  onClose,
}: {
  readonly campaign: CampaignWire | null;
  /** Chosen at first in a new one. */
  readonly channelId?: string;
  readonly onClose: () => void;
}) => {
  const channels = useDocs('channel');
  const users = useDocs('user');
  const { entity: campaign, onMade } = useMade('campaign', given);
  const form = useEntityForm<CampaignWire, Answer>({
    doc: campaign,
    valuesOf: (doc) => (doc === null ? { ...campaignValues(null), channelId } : campaignValues(doc)),
    bodyOf: campaignBody,
    schema: campaign === null ? createCampaignRequest : changeCampaignRequest,
    send: (send, body) =>
      campaign === null
        ? send('POST', '/api/campaigns/create-safe', body)
        : send('PUT', `/api/campaigns/${campaign.id}`, body),
    docOf: (data) => data.campaign,
    onSaved: (data) => {
      if (campaign !== null) return;
      onMade(data.campaign);
      announce('Кампания создана');
    },
    onDone: onClose,
  });
  const startable = campaign === null || campaign.status === 'DRAFT';

  const nameOf = (id: string): string => users.find((user) => user.id === id)?.name ?? 'Неизвестный сотрудник';
  const fieldName = (field: string): string =>
    field.startsWith('participants/')
      ? nameOf(field.slice('participants/'.length))
      : (campaignFieldLabels[field] ?? field);
  const show = (field: string, value: unknown): string => {
    if (field.startsWith('participants/')) return showParticipant(value);
    if (field === 'totalBudget' && typeof value === 'number') return roubles(value);
    if (field === 'channelId') return channels.find(({ id }) => id === value)?.name ?? '—';
    if (field === 'status')
      return Object.entries(campaignStatusLabels).find(([status]) => status === value)?.[1] ?? '—';
    return typeof value === 'string' && value !== '' ? value : '—';
  };

  return (
    <EntityDialog
      title={campaign === null ? 'Новая кампания' : 'Изменить кампанию'}
      save={campaign === null ? 'Создать' : 'Сохранить'}
      width={760}
      form={form}
      conflict={{ label: fieldName, show }}
      onClose={onClose}
    >
      <TextField label="Название" focusOnMount {...form.field('name')} />
      <div className="z-form-row">
        <SelectField
          label="Канал"
          options={[['', 'Выберите канал'], ...[...channels].sort(byName).map(({ id, name }) => [id, name] as const)]}
          {...form.field('channelId')}
        />
        <NumberField
          label="Общий бюджет, ₽"
          className="z-right"
          inputMode="decimal"
          placeholder="0"
          {...form.field('totalBudget')}
        />
        {startable && (
          <SelectField
            label="Статус"
            options={[
              ['ACTIVE', campaignStatusLabels.ACTIVE],
              ['DRAFT', campaignStatusLabels.DRAFT],
            ]}
            {...form.field('status')}
          />
        )}
      </div>
      <div className="z-form-row">
        <Field label="Начало" error={form.error('startDate')}>
          {(control) => (
            <DayField {...control} value={form.text('startDate')} onChange={(startDate) => form.set({ startDate })} />
          )}
        </Field>
        <Field label="Конец" error={form.error('endDate')}>
          {(control) => (
            <DayField {...control} value={form.text('endDate')} onChange={(endDate) => form.set({ endDate })} />
          )}
        </Field>
      </div>
      <ParticipantsFields form={form} users={users} />
    </EntityDialog>
  );
};
