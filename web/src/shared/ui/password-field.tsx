import { EyeOff, EyeOpen } from '@blueprintjs/icons';
import { useState } from 'react';
import { Field, type TextFieldProps, useInputRef } from './field.tsx';

/** Like `TextField`, with a button that shows what is typed. */
export const PasswordField = ({
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
  const [shown, setShown] = useState(false);
  return (
    <Field label={label} error={error} hint={hint} problemId={problemId}>
      {(control) => (
        <div className="z-password">
          <input
            {...rest}
            {...control}
            ref={ref}
            type={shown ? 'text' : 'password'}
            className={['z-input', className].filter(Boolean).join(' ')}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
          <button
            type="button"
            aria-label={shown ? 'Скрыть пароль' : 'Показать пароль'}
            aria-pressed={shown}
            onClick={() => setShown(!shown)}
          >
            {shown ? <EyeOff size={16} /> : <EyeOpen size={16} />}
          </button>
        </div>
      )}
    </Field>
  );
};
