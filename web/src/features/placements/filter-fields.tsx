import { formats, topics } from '@zakup/domain/topics';
import { noCreative } from '@zakup/domain/placement/events';
import { placementStatusLabels } from '@zakup/domain/placement/labels';
import { DayField } from '../../shared/day/day-field.tsx';
import { useDocs } from '../../shared/replica/replica-context.tsx';
import { acceptPrice } from '../../shared/table/number-input.ts';
import { Field, TextField } from '../../shared/ui/field.tsx';
import { anyStatus, type FilterName, type PlacementFilters } from './placement-filters.ts';
import { withoutCreative } from './placement-rows.ts';

export type Option = readonly [value: string, label: string];

const Choice = ({
  label,
  value,
  none = 'Любой',
  options,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  readonly none?: string;
  readonly options: readonly Option[];
  readonly onChange: (value: string) => void;
}) => (
  <Field label={label}>
    {(control) => (
      <select {...control} className="z-input" value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="">{none}</option>
        {options.map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
    )}
  </Field>
);

const asOptions = (values: readonly string[]): readonly Option[] => values.map((value) => [value, value]);
const byLabel = (a: Option, b: Option): number => a[1].localeCompare(b[1], 'ru');
const asOption = ({ id, name }: { readonly id: string; readonly name: string }): Option => [id, name];

export interface FilterFieldsProps {
  /** Those who have placements here. */
  readonly contractors: readonly Option[];
  readonly contractorId: string | null;
  readonly onContractor: (id: string | null) => void;
  readonly filters: PlacementFilters;
  readonly onChange: (change: Partial<PlacementFilters>) => void;
}

/** Everything that narrows the table but the search; what is chosen counts at once. */
export const FilterFields = ({ filters, contractors, contractorId, onContractor, onChange }: FilterFieldsProps) => {
  const users = useDocs('user');
  const creatives = useDocs('creative');
  const set = (name: FilterName) => (value: string) => onChange({ [name]: value });
  const price = (name: 'priceFrom' | 'priceTo') => (typed: string) => {
    const accepted = acceptPrice(typed);
    if (accepted !== null) onChange({ [name]: accepted });
  };
  return (
    <div className="z-filter-fields">
      <Choice
        label="Контрагент"
        value={contractorId ?? ''}
        options={contractors.toSorted(byLabel)}
        onChange={(id) => onContractor(id === '' ? null : id)}
      />
      <Choice
        label="Байер"
        value={filters.buyerId}
        options={users
          .filter(({ role }) => role === 'MEDIA_BUYER' || role === 'TEAM_LEAD')
          .map(asOption)
          .sort(byLabel)}
        onChange={set('buyerId')}
      />
      <Choice
        label="Креатив"
        value={filters.creativeId}
        options={[[noCreative, withoutCreative], ...creatives.map(asOption).sort(byLabel)]}
        onChange={set('creativeId')}
      />
      <Choice
        label="Тематика"
        none="Любая"
        value={filters.category}
        options={asOptions(topics)}
        onChange={set('category')}
      />
      <Choice label="Формат" value={filters.format} options={asOptions(formats)} onChange={set('format')} />
      <Choice
        label="Оплата"
        none="Любая"
        value={filters.paymentStatus}
        options={[
          ['paid', 'Оплачено'],
          ['unpaid', 'Не оплачено'],
        ]}
        onChange={set('paymentStatus')}
      />
      <Choice
        label="Статус"
        none="Кроме снятых раньше срока"
        value={filters.status}
        options={[[anyStatus, 'Все'], ...Object.entries(placementStatusLabels)]}
        onChange={set('status')}
      />
      <Field label="Дата с">
        {(control) => <DayField {...control} value={filters.dateFrom} onChange={set('dateFrom')} />}
      </Field>
      <Field label="Дата по">
        {(control) => <DayField {...control} value={filters.dateTo} onChange={set('dateTo')} />}
      </Field>
      <TextField
        label="Цена от, ₽"
        inputMode="decimal"
        autoComplete="off"
        value={filters.priceFrom}
        onChange={price('priceFrom')}
      />
      <TextField
        label="Цена до, ₽"
        inputMode="decimal"
        autoComplete="off"
        value={filters.priceTo}
        onChange={price('priceTo')}
      />
    </div>
  );
};
