import type { CampaignWire } from '@zakup/contracts/wire-entities';
import { changeCampaignRequest, createCampaignRequest } from '@zakup/contracts/requests/catalog.requests';
import { campaignStatusLabels } from '@zakup/domain/topics';
import { useDocs } from '../../shared/replica/replica-context.tsx';
import { DayField } from '../../shared/day/day-field.tsx';
import { NumberField } from '../../shared/form/number-field.tsx';
import { Field, TextField } from '../../shared/ui/field.tsx';
import { SelectField } from '../../shared/ui/select-field.tsx';
import { campaignBody, campaignFieldLabels, campaignValues, showParticipant } from './campaign-form.ts';
import { byName } from './channels-tab.tsx';
import { roubles } from '../../shared/money/roubles.ts';
import { EntityDialog } from '../../shared/form/entity-dialog.tsx';
import { useEntityForm } from '../../shared/form/use-entity-form.ts';
import { useKeptDocs } from '../../shared/kept/use-kept-docs.ts';
import { useKeptEntity } from '../../shared/kept/use-kept-entity.ts';
import type { Entry } from '../../shared/outbox/entry.ts';
import { ParticipantsFields } from './participants-fields.tsx';

interface Answer {
  readonly campaign: CampaignWire;
}

/** A new campaign, or changes to one. Completing and reopening stand in the list. */
export const CampaignDialog = ({
  campaign: given,
  entry = null,
  channelId = '',
  onClose,
}: {
  readonly campaign: CampaignWire | null;
  /** Of its mark in the list. */
  readonly entry?: Entry | null;
  /** Chosen at first in a new one. */
  readonly channelId?: string;
  readonly onClose: () => void;
}) => {
  const channels = useKeptDocs('channel').map(({ doc }) => doc);
  const users = useDocs('user');
  const { entity: campaign, ...kept } = useKeptEntity({
    kind: 'campaign',
    given,
    entry,
    valuesOf: (doc) => (doc === null ? { ...campaignValues(null), channelId } : campaignValues(doc)),
    paths: { create: '/api/campaigns/create-safe', all: '/api/campaigns' },
    words: { created: 'Новая кампания', changed: 'Кампания' },
  });
  const form = useEntityForm<CampaignWire, Answer>({
    doc: campaign,
    begun: kept.begun,
    valuesOf: kept.valuesOf,
    bodyOf: campaignBody,
    schema: campaign === null ? createCampaignRequest : changeCampaignRequest,
    send: (_, body) => kept.save(body),
    docOf: (data) => data.campaign,
    onSaved: (data, isKept) => kept.onSaved(data.campaign, isKept, 'Кампания создана'),
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
