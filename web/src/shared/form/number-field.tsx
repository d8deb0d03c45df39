import { useState } from 'react';
import { LiveRegion } from '../toasts/live-region.tsx';
import { TextField, type TextFieldProps } from '../ui/field.tsx';
import { severalCells, singleValuePaste } from '../ui/single-value-paste.ts';

export const droppedSigns = 'Здесь только цифры и точка. Остальное не вставлено';

/**
 * A line of text for one number. With `accept` it takes that alone, and says that it dropped something until one comes to it anew; without,
 * what is typed stays as it is. Several cells are never put in.
 */
export const NumberField = ({
  accept,
  onChange,
  value,
  hint,
  ...rest
}: Omit<TextFieldProps, 'accept'> & { readonly accept?: (next: string) => string | null }) => {
  const [notice, setNotice] = useState<string | null>(null);
  return (
    <TextField
      {...rest}
      {...singleValuePaste(() => setNotice(severalCells))}
      onFocus={() => setNotice(null)}
      value={value}
      hint={notice === null ? hint : <LiveRegion>{notice}</LiveRegion>}
      onChange={(text) => {
        const next = accept ? accept(text) : text;
        const isDropped = next === null || (next === value && text !== value);
        if (isDropped) setNotice(droppedSigns);
        if (next !== null && next !== value) onChange(next);
      }}
    />
  );
};
