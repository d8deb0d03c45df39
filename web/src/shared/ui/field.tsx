import { type InputHTMLAttributes, type ReactNode, type Ref, useId } from 'react';

interface FieldProps {
  readonly label: ReactNode;
  /** Shown below and tied to the control; empty or null = none. */
  readonly error?: string | null | undefined;
  readonly hint?: ReactNode;
  /** Gets what the control must carry. */
  readonly children: (control: {
    id: string;
    'aria-invalid': true | undefined;
    'aria-describedby': string | undefined;
  }) => ReactNode;
  readonly className?: string;
}

/** Label above, control, then error or hint. Works with any control that takes `id` and aria members. */
export const Field = ({ label, error, hint, children, className }: FieldProps) => {
  const id = useId();
  const wrong = error !== undefined && error !== null && error !== '';
  return (
    <div className={['z-field', wrong && 'z-field-wrong', className].filter(Boolean).join(' ')}>
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        'aria-invalid': wrong ? true : undefined,
        'aria-describedby': wrong || hint !== undefined ? `${id}-note` : undefined,
      })}
      {wrong ? (
        <p id={`${id}-note`} className="z-field-error">
          {error}
        </p>
      ) : (
        hint !== undefined && (
          <p id={`${id}-note`} className="z-field-hint">
            {hint}
          </p>
        )
      )}
    </div>
  );
};

export interface TextFieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value'> {
  readonly label: ReactNode;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error?: string | null | undefined;
  readonly hint?: ReactNode;
  readonly inputRef?: Ref<HTMLInputElement> | undefined;
}

/** `Field` with one line of text. `onChange` gets the text. */
export const TextField = ({ label, value, onChange, error, hint, inputRef, className, ...rest }: TextFieldProps) => (
  <Field label={label} error={error} hint={hint}>
    {(control) => (
      <input
        {...rest}
        {...control}
        ref={inputRef}
        className={['z-input', className].filter(Boolean).join(' ')}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    )}
  </Field>
);
