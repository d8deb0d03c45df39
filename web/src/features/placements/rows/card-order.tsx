import type { GridSorting } from '../../../shared/table/grid-column.ts';
import { SelectField, type SelectOption } from '../../../shared/ui/select-field.tsx';

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

/** In which order the cards stand: on a narrow screen there are no headings to click. */
export const CardOrder = ({
  sorting: { columnId, order },
  onChange,
}: {
  readonly sorting: GridSorting;
  readonly onChange: (sorting: GridSorting) => void;
}) => (
  <SelectField
    label="Порядок"
    value={`${columnId} ${order}`}
    options={orders}
    onChange={(chosen) => {
      const [column = 'date', direction] = chosen.split(' ');
      onChange({ columnId: column, order: direction === 'asc' ? 'asc' : 'desc' });
    }}
  />
);
