import { type ClipboardEvent, type KeyboardEvent, useEffect, useRef } from 'react';

interface CodeInputProps {
  /** Digits typed so far. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Called once the last digit is in. */
  readonly onComplete?: (value: string) => void;
  readonly length?: number;
  readonly label: string;
  readonly disabled?: boolean;
  readonly invalid?: boolean;
  readonly describedBy?: string | undefined;
}

/** One box for each digit; takes a whole pasted code, with whatever stands between its digits. */
export const CodeInput = ({
  value,
  onChange,
  onComplete,
  length = 6,
  label,
  disabled = false,
  invalid = false,
  describedBy,
}: CodeInputProps) => {
  const boxes = useRef<(HTMLInputElement | null)[]>([]);
  const focus = (index: number): void => {
    const box = boxes.current[Math.max(0, Math.min(index, length - 1))];
    box?.focus();
    box?.select();
  };
  useEffect(() => {
    boxes.current[0]?.focus();
  }, []);
  // While a code was judged, the boxes could not keep the keyboard.
  useEffect(() => {
    if (invalid && !disabled) boxes.current[0]?.focus();
  }, [invalid, disabled]);

  const put = (text: string, caret: number): void => {
    const digits = text.replace(/\D/gu, '').slice(0, length);
    onChange(digits);
    focus(caret);
    if (digits.length === length) onComplete?.(digits);
  };
  const onKeyDown = (event: KeyboardEvent, index: number): void => {
    switch (event.key) {
      case 'Backspace':
        event.preventDefault();
        if (index < value.length) put(value.slice(0, index) + value.slice(index + 1), index);
        else put(value.slice(0, Math.max(0, index - 1)), index - 1);
        return;
      case 'ArrowLeft':
        event.preventDefault();
        focus(index - 1);
        return;
      case 'ArrowRight':
        event.preventDefault();
        focus(Math.min(index + 1, value.length));
        return;
    }
  };
  const onPaste = (event: ClipboardEvent): void => {
    event.preventDefault();
    const digits = event.clipboardData.getData('text').replace(/\D/gu, '').slice(0, length);
    put(digits, digits.length);
  };

  return (
    <fieldset className="z-code" aria-label={label} disabled={disabled}>
      {Array.from({ length }, (_, index) => (
        <input
          key={index}
          ref={(element) => {
            boxes.current[index] = element;
          }}
          aria-label={`Цифра ${index + 1} из ${length}`}
          aria-invalid={invalid || undefined}
          aria-describedby={invalid ? describedBy : undefined}
          inputMode="numeric"
          autoComplete={index === 0 ? 'one-time-code' : 'off'}
          value={value[index] ?? ''}
          onChange={(event) => {
            const typed = event.target.value.replace(/\D/gu, '');
            if (typed === '') return;
            const fresh = typed.length > 1 && value[index] !== undefined ? typed.replace(value[index], '') : typed;
            const at = Math.min(index, value.length);
            put(value.slice(0, at) + fresh + value.slice(at + fresh.length), at + fresh.length);
          }}
          onKeyDown={(event) => onKeyDown(event, index)}
          onPaste={onPaste}
          onFocus={(event) => event.target.select()}
        />
      ))}
    </fieldset>
  );
};
