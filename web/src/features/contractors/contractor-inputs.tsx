import type { ReactNode } from 'react';
import type { EntityForm } from '../../shared/form/use-entity-form.ts';
import { TextField } from '../../shared/ui/field.tsx';
import { SelectField } from '../../shared/ui/select-field.tsx';
import { contractorFieldLabels } from './contractor-fields.ts';

/** Nick, channel and topic of a contractor, new or known. */
export const ContractorInputs = ({
  form,
  topics,
  hasNoTopic,
  afterNick,
  channelHint,
}: {
  readonly form: EntityForm;
  readonly topics: readonly string[];
  /** Also offers not to choose one. */
  readonly hasNoTopic: boolean;
  readonly afterNick?: ReactNode;
  readonly channelHint?: string | undefined;
}) => {
  const options = topics.map((topic) => [topic, topic] as const);
  return (
    <>
      <TextField
        label={contractorFieldLabels.adminUsername}
        placeholder="@nick"
        autoComplete="off"
        focusOnMount
        {...form.field('adminUsername')}
      />
      {afterNick}
      <TextField label={contractorFieldLabels.channelName} hint={channelHint} {...form.field('channelName')} />
      <SelectField
        label={contractorFieldLabels.category}
        options={hasNoTopic ? [['', 'Не выбрана'], ...options] : options}
        {...form.field('category')}
      />
    </>
  );
};
