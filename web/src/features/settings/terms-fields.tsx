import type { ReactNode } from 'react';
import type { EntityForm } from '../../shared/form/use-entity-form.ts';
import { NumberField } from '../../shared/form/number-field.tsx';
import { SelectField, type SelectOption } from '../../shared/ui/select-field.tsx';

/** Names of the pay schemes; `percentage` is kept where it stands but not offered: it pays like `budget`. */
export const schemeLabels: Readonly<Record<string, string>> = {
  budget: 'От бюджета',
  performance: 'За результат',
  percentage: 'Процент от бюджета',
};

/** The schemes that are offered, with what is there already. */
export const schemeOptions = (none: string, current: string): readonly SelectOption[] =>
  ['', 'budget', 'performance', ...(current === 'percentage' ? [current] : [])].map((scheme) => [
    scheme,
    schemeLabels[scheme] ?? none,
  ]);

/** Scheme, percent and, for results, the CPL threshold of a person. */
export const TermsFields = ({
  form,
  disabled = false,
  leading,
}: {
  readonly form: EntityForm;
  readonly disabled?: boolean;
  /** A field that stands before the scheme, in the same row. */
  readonly leading?: ReactNode;
}) => {
  const scheme = form.text('salaryType');
  return (
    <div className="z-form-row z-terms">
      {leading}
      <SelectField
        label="Схема"
        disabled={disabled}
        options={schemeOptions('Не задана', scheme)}
        {...form.field('salaryType')}
      />
      {scheme !== '' && (
        <NumberField
          label="Ставка, %"
          className="z-right"
          inputMode="decimal"
          disabled={disabled}
          {...form.field('salaryRate')}
        />
      )}
      {scheme === 'performance' && (
        <NumberField
          label="Порог CPL, ₽"
          className="z-right"
          inputMode="decimal"
          placeholder="100"
          disabled={disabled}
          {...form.field('performanceThreshold')}
        />
      )}
    </div>
  );
};
