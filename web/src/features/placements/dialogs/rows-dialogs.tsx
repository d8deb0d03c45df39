import { Trash } from '@blueprintjs/icons';
import { placementFields } from '@zakup/contracts/placement-fields';
import { messages } from '@zakup/domain/messages';
import { placementStatusLabels } from '@zakup/domain/placement/labels';
import { formatNumber } from '@zakup/domain/russian';
import { showPayment } from '@zakup/domain/topics';
import { type FormEvent, useState } from 'react';
import { DayField } from '../../../shared/day/day-field.tsx';
import { FormDialog } from '../../../shared/form/form-dialog.tsx';
import { NumberField } from '../../../shared/form/number-field.tsx';
import { parseLeads, parsePrice } from '../../../shared/form/number-input.ts';
import type { Parsed } from '../../../shared/form/parsed.ts';
import { maxBatchSize } from '../../../shared/outbox/batch.ts';
import type { ChoiceOption } from '../../../shared/table/grid-column.ts';
import { LiveRegion } from '../../../shared/toasts/live-region.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { ConfirmDialog } from '../../../shared/ui/dialog.tsx';
import { Field } from '../../../shared/ui/field.tsx';
import { SelectField, type SelectOption } from '../../../shared/ui/select-field.tsx';
import { fieldName, fieldText } from '../rows/placement-commands.ts';
import type { PlacementRow } from '../rows/placement-row.ts';
import { changeRows, placementsText, removeRows, type RowDeps, withSum } from '../rows/row-commands.ts';
import { type BulkField, bulkFields, leftText, withField, withoutRows } from '../rows/rows-change.ts';
import type { Choices } from '../rows/use-choices.ts';

const asOption = ({ value, label }: ChoiceOption): SelectOption => [value, label];

/** What a field is chosen from; `null` = it is typed. */
const optionsOf = (
  field: BulkField,
  { buyers, creatives, topics, formats }: Choices,
): readonly SelectOption[] | null => {
  switch (field) {
    case 'paymentStatus':
      return (['paid', 'unpaid'] as const).map((status) => [status, showPayment(status)]);
    case 'buyerId':
      return buyers.map(asOption);
    case 'creativeId':
      return creatives.map(asOption);
    case 'category':
      return topics.map(asOption);
    case 'format':
      return formats.map(asOption);
    case 'status':
      return Object.entries(placementStatusLabels);
    case 'date':
    case 'price':
    case 'leads':
      return null;
  }
};

const parse = (field: BulkField, text: string): Parsed => {
  if (field === 'price') return parsePrice(text);
  if (field === 'leads') return parseLeads(text);
  if (text !== '') return { ok: true, value: text };
  return { ok: false, message: field === 'date' ? messages.dateInvalid : 'Выберите значение' };
};

interface ValueFieldProps {
  readonly field: BulkField;
  readonly choices: Choices;
  readonly text: string;
  readonly error: string | null;
  readonly onChange: (text: string) => void;
}

const ValueField = ({ field, choices, text, error, onChange }: ValueFieldProps) => {
  const options = optionsOf(field, choices);
  const { label } = placementFields[field];
  if (options !== null)
    return (
      <SelectField
        label={label}
        error={error}
        value={text}
        options={[['', 'Выберите'], ...options]}
        onChange={onChange}
      />
    );
  if (field === 'date')
    return (
      <Field label={label} error={error}>
        {(control) => <DayField {...control} value={text} onChange={onChange} />}
      </Field>
    );
  return (
    <NumberField
      label={field === 'price' ? 'Цена, ₽' : label}
      inputMode={field === 'price' ? 'decimal' : 'numeric'}
      error={error}
      value={text}
      onChange={onChange}
    />
  );
};

export interface RowsDialogsProps extends RowDeps {
  readonly kind: 'change' | 'remove';
  /** As they were when the dialog opened: what others change meanwhile waits for a choice. */
  readonly rows: readonly PlacementRow[];
  readonly onRemove: () => void;
  readonly onClose: () => void;
}

/** One value for a field of all the rows. */
const ChangeRows = ({ rows, onRemove, onClose, ...deps }: RowsDialogsProps) => {
  const { choices, names, rights } = deps.placements;
  const [field, setField] = useState<BulkField>('paymentStatus');
  const [text, setText] = useState('');
  const [error, setError] = useState<string | null>(null);
  const parsed = parse(field, text);
  const change = parsed.ok ? withField(rows, field, parsed.value, names, rights) : null;
  const left = change === null ? '' : leftText(change);
  const isTooMany = rows.length > maxBatchSize;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!parsed.ok) return setError(parsed.message);
    if (change === null || change.drafts.length === 0) return;
    changeRows(change, `${fieldName(field)}: ${fieldText(field, parsed.value, names)}`, deps);
    onClose();
  };
  return (
    <FormDialog
      title={`Изменить: ${placementsText(rows.length)}`}
      save="Изменить"
      dirty={text !== ''}
      disabled={isTooMany || change?.drafts.length === 0}
      problem={isTooMany ? `Строк больше, чем меняется за один раз (${formatNumber(maxBatchSize)})` : null}
      onSubmit={submit}
      onClose={onClose}
    >
      <div className="z-form">
        <div className="z-form-row">
          <SelectField
            label="Что изменить"
            value={field}
            options={bulkFields.map((name): SelectOption => [name, placementFields[name].label])}
            onChange={(next) => {
              setField(bulkFields.find((name) => name === next) ?? field);
              setText('');
              setError(null);
            }}
          />
          <ValueField
            key={field}
            field={field}
            choices={choices}
            text={text}
            error={error}
            onChange={(next) => {
              setText(next);
              setError(null);
            }}
          />
        </div>
        <LiveRegion className="z-second">
          {change === null
            ? ''
            : `Изменится: ${placementsText(change.drafts.length)}${left === '' ? '' : `. Останутся как были: ${left}`}`}
        </LiveRegion>
        <div>
          <Button small icon={<Trash size={14} />} disabled={isTooMany} onClick={onRemove}>
            Удалить {placementsText(rows.length)}…
          </Button>
        </div>
      </div>
    </FormDialog>
  );
};

/** How many go, for how much, and what stays. */
const RemoveRows = (props: RowsDialogsProps) => {
  const { rows, placements, onClose } = props;
  const removal = withoutRows(rows, placements.rights);
  const left = leftText(removal);
  return (
    <ConfirmDialog
      title={removal.rows.length === 0 ? 'Удалить нечего' : `Удалить ${withSum(removal.rows, ' на')}?`}
      confirm="Удалить"
      danger
      onConfirm={() => {
        void removeRows(removal.rows, props);
        onClose();
      }}
      onCancel={onClose}
    >
      {left === '' ? 'Минуту их можно будет вернуть одной кнопкой.' : `Останутся: ${left}.`}
    </ConfirmDialog>
  );
};

/** The dialogs over several placements. */
export const RowsDialogs = (props: RowsDialogsProps) =>
  props.kind === 'change' ? <ChangeRows {...props} /> : <RemoveRows {...props} />;
