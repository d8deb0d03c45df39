import { placementFields } from '@zakup/contracts/placement-fields';
import type { GridSorting } from '../../../shared/table/grid-column.ts';
import { SelectField, type SelectOption } from '../../../shared/ui/select-field.tsx';
import { fieldOfColumn } from '../columns/field-columns.ts';

/** Orders of the cards, as a column and a direction; the words say what comes first. */
const orders: readonly SelectOption[] = [
  ['date desc', 'Сначала новые'],
  ['date asc', 'Сначала старые'],
  ['price desc', 'Сначала дорогие'],
  ['price asc', 'Сначала дешёвые'],
  ['leads desc', 'Больше лидов'],
  ['leads asc', 'Меньше лидов'],
  ['cpl asc', 'Дешевле лид'],
  ['cpl desc', 'Дороже лид'],
  ['contractor asc', 'Контрагент, по алфавиту'],
  ['buyer asc', 'Байер, по алфавиту'],
  ['payment desc', 'Сначала неоплаченные'],
];

const labelOf = (columnId: string): string => {
  const field = fieldOfColumn.get(columnId);
  return field === undefined ? columnId : placementFields[field].label;
};

/** An order that is none of those, such as a link's. */
const otherOrder = ({ columnId, order }: GridSorting): SelectOption => [
  `${columnId} ${order}`,
  `${labelOf(columnId)}, по ${order === 'asc' ? 'возрастанию' : 'убыванию'}`,
];

/** In which order the cards stand: on a narrow screen there are no headings to click. */
export const CardOrder = ({
  sorting,
  onChange,
}: {
  readonly sorting: GridSorting;
  readonly onChange: (sorting: GridSorting) => void;
}) => {
  const value = `${sorting.columnId} ${sorting.order}`;
  const isListed = orders.some(([order]) => order === value);
  return (
    <SelectField
      label="Порядок"
      value={value}
      options={isListed ? orders : [otherOrder(sorting), ...orders]}
      onChange={(chosen) => {
        const [column = 'date', direction] = chosen.split(' ');
        onChange({ columnId: column, order: direction === 'asc' ? 'asc' : 'desc' });
      }}
    />
  );
};
