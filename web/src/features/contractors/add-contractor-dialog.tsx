import type { ContractorWire } from '@zakup/contracts/entities';
import { createContractorRequest } from '@zakup/contracts/requests/catalog.requests';
import { messages } from '@zakup/domain/messages';
import { topics } from '@zakup/domain/topics';
import { useId } from 'react';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { Field, TextField } from '../../shared/ui/field.tsx';
import { CheckedForm } from '../../shared/form/checked-form.tsx';
import { FormProblem } from '../../shared/form/form-problem.tsx';
import { useEntityForm } from '../../shared/form/use-entity-form.ts';

/** A contractor before the first placement. */
export const AddContractorDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const formId = useId();
  const form = useEntityForm<ContractorWire, { readonly contractor: ContractorWire }>({
    doc: null,
    valuesOf: () => ({ adminUsername: '', channelName: '', category: '' }),
    bodyOf: ({ adminUsername, channelName, category }) => ({
      adminUsername,
      channelName,
      ...(category !== '' && { category }),
    }),
    schema: createContractorRequest,
    send: (send, body) => send('POST', '/api/contractors', body),
    docOf: (data) => data.contractor,
    onSaved: onClose,
    duplicate: 'adminUsername',
  });
  return (
    <Dialog
      title="Новый контрагент"
      onClose={onClose}
      dirty={form.dirty}
      closeOnOutsideClick={!form.dirty}
      footer={
        <>
          <Button onClick={onClose} disabled={form.busy}>
            Отмена
          </Button>
          <Button look="primary" type="submit" form={formId} disabled={form.busy}>
            {form.busy ? 'Сохранение…' : 'Добавить'}
          </Button>
        </>
      }
    >
      <CheckedForm id={formId} form={form}>
        <TextField
          label="Ник"
          placeholder="@nick"
          autoComplete="off"
          focusOnMount
          value={form.text('adminUsername')}
          error={form.error('adminUsername')}
          onChange={(adminUsername) => form.set({ adminUsername })}
        />
        <TextField
          label="Название канала"
          value={form.text('channelName')}
          error={form.error('channelName')}
          onChange={(channelName) => form.set({ channelName })}
        />
        <Field label="Тематика" error={form.error('category')}>
          {(control) => (
            <select
              {...control}
              className="z-input"
              value={form.text('category')}
              onChange={(event) => form.set({ category: event.target.value })}
            >
              <option value="">Не выбрана</option>
              {topics.map((topic) => (
                <option key={topic} value={topic}>
                  {topic}
                </option>
              ))}
            </select>
          )}
        </Field>
        <FormProblem text={form.problem === null ? null : failure(form.problem)} />
      </CheckedForm>
    </Dialog>
  );
};

/** The server's own text says enough; without an answer the action is named. */
const failure = (problem: string): string =>
  problem === messages.connectionFailed ? `${messages.contractorCreateFailed}. ${problem}` : problem;
