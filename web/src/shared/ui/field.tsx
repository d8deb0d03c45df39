import { type InputHTMLAttributes, type ReactNode, type RefObject, useEffect, useId, useRef } from 'react';

interface FieldProps {
  readonly label: ReactNode;
  /** Shown below and tied to the control; empty or null = none. */
  readonly error?: string | null | undefined;
  readonly hint?: ReactNode;
  /** Id of a message elsewhere that says what is wrong with this field among others; undefined = nothing is. */
  readonly problemId?: string | undefined;
  /** Gets what the control must carry. */
  readonly children: (control: {
    id: string;
    'aria-invalid': true | undefined;
    'aria-describedby': string | undefined;
  }) => ReactNode;
  readonly className?: string;
}

/** Label above, control, then error or hint. Works with any control that takes `id` and aria members. */
export const Field = ({ label, error, hint, problemId, children, className }: FieldProps) => {
  const id = useId();
  const wrong = error !== undefined && error !== null && error !== '';
  const notes = [problemId, (wrong || hint !== undefined) && `${id}-note`].filter(Boolean).join(' ');
  return (
    <div className={['z-field', className].filter(Boolean).join(' ')}>
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        'aria-invalid': wrong || problemId !== undefined ? true : undefined,
        'aria-describedby': notes === '' ? undefined : notes,
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
  readonly problemId?: string | undefined;
  readonly inputRef?: RefObject<HTMLInputElement | null> | undefined;
  /** Takes the keyboard when it appears. */
  readonly focusOnMount?: boolean | undefined;
}

/** Joins the caller's ref with the wish to have the keyboard at once. */
export const useInputRef = (
  inputRef: TextFieldProps['inputRef'],
  focusOnMount = false,
): RefObject<HTMLInputElement | null> => {
  const own = useRef<HTMLInputElement>(null);
  const ref = inputRef ?? own;
  useEffect(() => {
    if (focusOnMount) ref.current?.focus();
  }, [ref, focusOnMount]);
  return ref;
};

/** `Field` with one line of text. `onChange` gets the text. */
export const TextField = ({
  label,
  value,
  onChange,
  error,
  hint,
  problemId,
  inputRef,
  focusOnMount,
  className,
  ...rest
}: TextFieldProps) => {
  const ref = useInputRef(inputRef, focusOnMount);
  return (
    <Field label={label} error={error} hint={hint} problemId={problemId}>
      {(control) => (
        <input
          {...rest}
          {...control}
          ref={ref}
          className={['z-input', className].filter(Boolean).join(' ')}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
};
