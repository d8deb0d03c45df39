import { useState } from 'react';
import { LiveRegion } from '../../shared/toasts/live-region.tsx';
import type { HistoryValue } from '@zakup/contracts/history-fields';
import type { ContractorWire } from '@zakup/contracts/wire-entities';
import { changeContractorRequest } from '@zakup/contracts/requests/catalog.requests';
import { messages } from '@zakup/domain/messages';
import { showTopic, topics } from '@zakup/domain/topics';
import { EntityDialog } from '../../shared/form/entity-dialog.tsx';
import { useEntityForm } from '../../shared/form/use-entity-form.ts';
import { showValue } from '../../shared/history/journal-labels.ts';
import { useDocs } from '../../shared/replica/replica-context.tsx';
import { useRights } from '../../shared/session/use-rights.ts';
import { announce } from '../../shared/toasts/toasts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { channelNameOf } from './contractor-figures.ts';
import { contractorFieldLabel, contractorFieldLabels } from './contractor-fields.ts';
import { ContractorInputs } from './contractor-inputs.tsx';
import { VerdictInputs } from './verdict-inputs.tsx';
import { holderOf } from './contractor-nicks.ts';
import { boughtText, contractorSums } from './contractor-sums.ts';

const fields = ['adminUsername', 'channelName', 'category', 'isActive', 'verdict'] as const;

const show = (field: string, value: unknown): string => {
  if (typeof value === 'boolean') return value ? 'да' : 'нет';
  if (field === 'verdict') return showValue('contractor', field, value as HistoryValue);
  if (typeof value !== 'string' || value === '') return '—';
  return field === 'category' ? showTopic(value) : value;
};

/** Whose the wanted nick is, and the way to become one with them. */
const NickHolder = ({
  holder,
  onMerge,
}: {
  readonly holder: ContractorWire;
  readonly onMerge: ((intoId: string) => void) | null;
}) => {
  const { adminUsername, isActive } = holder;
  const about = [channelNameOf(holder), boughtText(contractorSums(holder))].filter(Boolean).join(', ');
  return (
    <div className="z-contractor-holder">
      <p>
        <LiveRegion>
          Этот ник у контрагента <b>{adminUsername}</b>: {about}.
        </LiveRegion>
      </p>
      {isActive ? (
        onMerge !== null && (
          <>
            <p>Если это один и тот же человек, объедините их: размещения и заметки окажутся вместе.</p>
            <Button small onClick={() => onMerge(holder.id)}>
              Объединить с {adminUsername}
            </Button>
          </>
        )
      ) : (
        <p>Он отключён. Чтобы объединить с ним, сначала сделайте его активным.</p>
      )}
    </div>
  );
};

/** Nick, channel, topic, the list that it stands on and whether the contractor is in use. */
export const ChangeContractorDialog = ({
  contractor,
  onClose,
  onMerge,
}: {
  /** As it is now, also while the dialog is open. */
  readonly contractor: ContractorWire;
  readonly onClose: () => void;
  /** Goes on to merging with who has the nick; null = that may not be done. */
  readonly onMerge: ((intoId: string) => void) | null;
}) => {
  const { can } = useRights();
  // A dialog keeps its name: one's own new nick arrives before the answer that closes it.
  const [opened] = useState(contractor.adminUsername);
  const others = useDocs('contractor').filter(({ id }) => id !== contractor.id);
  const form = useEntityForm<ContractorWire, { readonly contractor: ContractorWire }>({
    doc: contractor,
    valuesOf: (doc) => ({
      adminUsername: doc?.adminUsername ?? '',
      channelName: doc?.channelName ?? '',
      category: doc?.category ?? '',
      isActive: doc?.isActive ?? true,
      verdict: doc?.verdict ?? null,
    }),
    bodyOf: (values, touched) =>
      Object.fromEntries(fields.filter((field) => touched.has(field)).map((field) => [field, values[field]])),
    schema: changeContractorRequest,
    send: (send, body) => send('PUT', `/api/contractors/${contractor.id}`, body),
    docOf: (data) => data.contractor,
    onSaved: ({ contractor: saved }) => announce(`Сохранено: ${saved.adminUsername}`),
    onDone: onClose,
    duplicate: 'adminUsername',
  });
  const category = form.text('category');
  const options: readonly string[] = [...new Set([contractor.category, category, ...topics])].filter(Boolean);
  const holder =
    form.error('adminUsername') === messages.nickTaken ? holderOf(others, form.text('adminUsername')) : null;
  return (
    <EntityDialog
      title={`Изменить ${opened}`}
      save="Сохранить"
      form={form}
      conflict={{ label: contractorFieldLabel, show }}
      onClose={onClose}
    >
      <ContractorInputs
        form={form}
        topics={options}
        hasNoTopic={contractor.category === '' || category === ''}
        afterNick={holder !== null && <NickHolder holder={holder} onMerge={onMerge} />}
        channelHint={
          contractor.automatic ? 'Взято из названия кампании: контрагент появился вместе с размещением' : undefined
        }
      />
      <VerdictInputs form={form} />
      {(!contractor.isActive || can('contractor.deactivate')) && (
        <div>
          <label className="z-contractors-check">
            <input
              type="checkbox"
              checked={form.flag('isActive')}
              onChange={(event) => form.set({ isActive: event.target.checked })}
            />
            {contractorFieldLabels.isActive}
          </label>
          {!form.flag('isActive') && (
            <p className="z-field-hint">Не будет виден в списках и подсказках; размещения и суммы останутся.</p>
          )}
        </div>
      )}
    </EntityDialog>
  );
};
