import type { ReactNode, SelectHTMLAttributes } from 'react';
import { Field } from './field.tsx';

export type SelectOption = readonly [value: string, label: string];

export interface SelectFieldProps
  extends Omit<SelectHTMLAttributes<HTMLSelectElement>, 'onChange' | 'value' | 'children'> {
  readonly label: ReactNode;
  readonly value: string;
  /** In the order in which they are offered; a blank value stands for nothing chosen. */
  readonly options: readonly SelectOption[];
  readonly onChange: (value: string) => void;
  readonly error?: string | null | undefined;
  readonly hint?: ReactNode;
}

/** `Field` with a choice of one. `onChange` gets the value. */
export const SelectField = ({ label, value, options, onChange, error, hint, ...rest }: SelectFieldProps) => (
  <Field label={label} error={error} hint={hint}>
    {(control) => (
      <select
        {...rest}
        {...control}
        className="z-input"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      >
        {options.map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
    )}
  </Field>
);
