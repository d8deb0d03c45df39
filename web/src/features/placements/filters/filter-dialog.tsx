import type { ReactNode } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { TextField } from '../../../shared/ui/field.tsx';
import { FilterFields, type FilterFieldsProps } from './filter-fields.tsx';

/** Order, search and filters of the cards on a narrow screen. */
export const FilterDialog = ({
  order,
  onReset,
  onClose,
  ...rest
}: FilterFieldsProps & {
  /** What chooses the order; stands before the filters. */
  readonly order: ReactNode;
  readonly onReset: () => void;
  readonly onClose: () => void;
}) => (
  <Dialog
    title="Порядок и фильтр"
    onClose={onClose}
    footer={
      <>
        <Button onClick={onReset}>Сбросить фильтры</Button>
        <Button look="primary" onClick={onClose}>
          Показать
        </Button>
      </>
    }
  >
    <div className="z-filter-fields">
      {order}
      <TextField
        label="Найти"
        type="search"
        placeholder="Ник, тематика, креатив, байер"
        maxLength={100}
        value={rest.filters.search}
        onChange={(search) => rest.onChange({ search })}
      />
    </div>
    <FilterFields {...rest} />
  </Dialog>
);
