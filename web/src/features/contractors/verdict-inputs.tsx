import type { ContractorWire } from '@zakup/contracts/wire-entities';
import { verdictLabels } from '@zakup/domain/contractor/labels';
import type { EntityForm } from '../../shared/form/use-entity-form.ts';
import { TextField } from '../../shared/ui/field.tsx';
import { SelectField } from '../../shared/ui/select-field.tsx';
import { contractorFieldLabels } from './contractor-fields.ts';

const options = [['', 'Ни в каком'], ...Object.entries(verdictLabels)] as const;

/** The list that a contractor stands on, and why. */
export const VerdictInputs = ({ form }: { readonly form: EntityForm }) => {
  const verdict = form.values['verdict'] as ContractorWire['verdict'] | null;
  const reason = verdict?.reason ?? '';
  return (
    <>
      <SelectField
        label={contractorFieldLabels.verdict}
        options={options}
        value={verdict?.list ?? ''}
        hint="Видно при вводе размещения. Ничего не запрещает"
        onChange={(list) => form.set({ verdict: list === '' ? null : { list, reason } })}
      />
      {verdict && (
        <TextField
          label="Причина"
          maxLength={200}
          value={reason}
          error={form.error('verdict.reason')}
          onChange={(typed) => form.set({ verdict: { ...verdict, reason: typed } })}
        />
      )}
    </>
  );
};
