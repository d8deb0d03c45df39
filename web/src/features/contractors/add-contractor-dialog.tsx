import type { ContractorWire } from '@zakup/contracts/wire-entities';
import { changeContractorRequest, createContractorRequest } from '@zakup/contracts/requests/catalog.requests';
import { messages } from '@zakup/domain/messages';
import { topics } from '@zakup/domain/topics';
import { EntityDialog } from '../../shared/form/entity-dialog.tsx';
import { useEntityForm } from '../../shared/form/use-entity-form.ts';
import { useMade } from '../../shared/form/use-made.ts';
import { contractorFieldLabel } from './contractor-fields.ts';
import { ContractorInputs } from './contractor-inputs.tsx';

const fields = ['adminUsername', 'channelName', 'category'] as const;
const show = (_: string, value: unknown): string => (typeof value === 'string' && value !== '' ? value : '—');

/** The server's own text says enough; without an answer the action is named. */
const failure = (problem: string): string =>
  problem === messages.connectionFailed ? `${messages.contractorCreateFailed}. ${problem}` : problem;

/** A contractor before the first placement. */
export const AddContractorDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const { entity: contractor, onMade } = useMade<ContractorWire>('contractor', null);
  const form = useEntityForm<ContractorWire, { readonly contractor: ContractorWire }>({
    doc: contractor,
    valuesOf: (doc) => ({
      adminUsername: doc?.adminUsername ?? '',
      channelName: doc?.channelName ?? '',
      category: doc?.category ?? '',
    }),
    bodyOf: (values, touched, seen) =>
      Object.fromEntries(
        fields
          .filter((field) => touched.has(field) && (seen !== null || field !== 'category' || values[field] !== ''))
          .map((field) => [field, values[field]]),
      ),
    schema: contractor === null ? createContractorRequest : changeContractorRequest,
    send: (send, body) =>
      contractor === null
        ? send('POST', '/api/contractors', body)
        : send('PUT', `/api/contractors/${contractor.id}`, body),
    docOf: (data) => data.contractor,
    onSaved: (data) => onMade(data.contractor),
    onDone: onClose,
    duplicate: 'adminUsername',
  });
  return (
    <EntityDialog
      title={contractor === null ? 'Новый контрагент' : `Изменить ${contractor.adminUsername}`}
      save={contractor === null ? 'Добавить' : 'Сохранить'}
      form={form}
      conflict={{ label: contractorFieldLabel, show }}
      problem={form.problem === null ? null : failure(form.problem)}
      onClose={onClose}
    >
      <ContractorInputs form={form} topics={topics} hasNoTopic />
    </EntityDialog>
  );
};
