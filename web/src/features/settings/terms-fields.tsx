import type { ReactNode } from 'react';
import { acceptPrice } from '../../shared/table/number-input.ts';
import { Field, TextField } from '../../shared/ui/field.tsx';

export interface TermsValues {
  readonly salaryType: string;
  readonly salaryRate: string;
  readonly threshold: string;
}

/** Names of the pay schemes; `percentage` is kept where it stands but not offered: it pays like `budget`. */
export const schemeLabels: Readonly<Record<string, string>> = {
  budget: 'От бюджета',
  performance: 'За результат',
  percentage: 'Процент от бюджета',
};

export const SchemeOptions = ({ none, current }: { readonly none: string; readonly current: string }) => (
  <>
    <option value="">{none}</option>
    <option value="budget">{schemeLabels['budget']}</option>
    <option value="performance">{schemeLabels['performance']}</option>
    {current === 'percentage' && <option value="percentage">{schemeLabels['percentage']}</option>}
  </>
);

/** Scheme, percent and, for results, the CPL threshold of a person. */
export const TermsFields = ({
  values,
  errors,
  disabled = false,
  leading,
  onChange,
}: {
  readonly values: TermsValues;
  readonly errors: { readonly [Name in keyof TermsValues]: string | undefined };
  readonly disabled?: boolean;
  /** A field that stands before the scheme, in the same row. */
  readonly leading?: ReactNode;
  readonly onChange: (change: Partial<TermsValues>) => void;
}) => (
  <div className="z-form-row z-terms">
    {leading}
    <Field label="Схема" error={errors.salaryType}>
      {(control) => (
        <select
          {...control}
          className="z-input"
          disabled={disabled}
          value={values.salaryType}
          onChange={(event) => onChange({ salaryType: event.target.value })}
        >
          <SchemeOptions none="Не заданы" current={values.salaryType} />
        </select>
      )}
    </Field>
    {values.salaryType !== '' && (
      <TextField
        label="Ставка, %"
        className="z-right"
        inputMode="decimal"
        disabled={disabled}
        value={values.salaryRate}
        error={errors.salaryRate}
        onChange={(salaryRate) => onChange({ salaryRate })}
      />
    )}
    {values.salaryType === 'performance' && (
      <TextField
        label="Порог CPL, ₽"
        className="z-right"
        inputMode="decimal"
        placeholder="100"
        disabled={disabled}
        value={values.threshold}
        error={errors.threshold}
        onChange={(typed) => {
          const threshold = acceptPrice(typed);
          if (threshold !== null) onChange({ threshold });
        }}
      />
    )}
  </div>
);
