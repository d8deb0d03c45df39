import type { CampaignWire } from '@zakup/contracts/entities';
import { changeCampaignRequest, createCampaignRequest } from '@zakup/contracts/requests/catalog.requests';
import { campaignStatusLabels } from '@zakup/domain/topics';
import { useId } from 'react';
import { useDocs } from '../../shared/replica/replica-context.tsx';
import { DayField } from '../../shared/day/day-field.tsx';
import { acceptPrice } from '../../shared/table/number-input.ts';
import { toasts } from '../../shared/toasts/toasts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { Field, TextField } from '../../shared/ui/field.tsx';
import { campaignBody, campaignFieldLabels, campaignValues, showParticipant } from './campaign-form.ts';
import { byName } from './channels-tab.tsx';
import { showRoubles } from './amounts.ts';
import { CheckedForm } from '../../shared/form/checked-form.tsx';
import { ConflictNotice } from '../../shared/form/conflict-notice.tsx';
import { FormProblem } from '../../shared/form/form-problem.tsx';
import { useEntityForm } from '../../shared/form/use-entity-form.ts';
import { ParticipantsFields } from './participants-fields.tsx';

interface Answer {
  readonly campaign: CampaignWire;
}

/** A new campaign, or changes to one. Completing and reopening stand in the list. */
export const CampaignDialog = ({
  campaign,
  channelId = '',
  onClose,
}: {
  readonly campaign: CampaignWire | null;
  /** Chosen at first in a new one. */
  readonly channelId?: string;
  readonly onClose: () => void;
}) => {
  const formId = useId();
  const channels = useDocs('channel');
  const users = useDocs('user');
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
    onSaved: () => {
      if (campaign === null) toasts.success('Кампания создана');
      onClose();
    },
  });
  const startable = campaign === null || campaign.status === 'DRAFT';

  const nameOf = (id: string): string => users.find((user) => user.id === id)?.name ?? 'Неизвестный сотрудник';
  const fieldName = (field: string): string =>
    field.startsWith('participants/')
      ? nameOf(field.slice('participants/'.length))
      : (campaignFieldLabels[field] ?? field);
  const show = (field: string, value: unknown): string => {
    if (field.startsWith('participants/')) return showParticipant(value);
    if (field === 'totalBudget' && typeof value === 'number') return showRoubles(value);
    if (field === 'channelId') return channels.find(({ id }) => id === value)?.name ?? '—';
    if (field === 'status')
      return Object.entries(campaignStatusLabels).find(([status]) => status === value)?.[1] ?? '—';
    return typeof value === 'string' && value !== '' ? value : '—';
  };

  return (
    <Dialog
      title={campaign === null ? 'Новая кампания' : 'Изменить кампанию'}
      width={760}
      onClose={onClose}
      dirty={form.dirty}
      closeOnOutsideClick={!form.dirty}
      footer={
        <>
          <Button onClick={onClose} disabled={form.busy}>
            Отмена
          </Button>
          <Button look="primary" type="submit" form={formId} disabled={form.busy}>
            {form.busy ? 'Сохранение…' : campaign === null ? 'Создать' : 'Сохранить'}
          </Button>
        </>
      }
    >
      <CheckedForm id={formId} form={form}>
        <TextField
          label="Название"
          focusOnMount
          value={form.text('name')}
          error={form.error('name')}
          onChange={(name) => form.set({ name })}
        />
        <div className="z-form-row">
          <Field label="Канал" error={form.error('channelId')}>
            {(control) => (
              <select
                {...control}
                className="z-input"
                value={form.text('channelId')}
                onChange={(event) => form.set({ channelId: event.target.value })}
              >
                <option value="">Выберите канал</option>
                {[...channels].sort(byName).map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <TextField
            label="Общий бюджет, ₽"
            className="z-right"
            inputMode="decimal"
            placeholder="0"
            value={form.text('totalBudget')}
            error={form.error('totalBudget')}
            onChange={(typed) => {
              const totalBudget = acceptPrice(typed);
              if (totalBudget !== null) form.set({ totalBudget });
            }}
          />
          {startable && (
            <Field label="Статус" error={form.error('status')}>
              {(control) => (
                <select
                  {...control}
                  className="z-input"
                  value={form.text('status')}
                  onChange={(event) => form.set({ status: event.target.value })}
                >
                  <option value="ACTIVE">{campaignStatusLabels.ACTIVE}</option>
                  <option value="DRAFT">{campaignStatusLabels.DRAFT}</option>
                </select>
              )}
            </Field>
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
        <ConflictNotice form={form} label={fieldName} show={show} />
        <FormProblem text={form.problem} />
      </CheckedForm>
    </Dialog>
  );
};
