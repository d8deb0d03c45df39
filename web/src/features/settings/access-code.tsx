import { EyeOff, EyeOpen } from '@blueprintjs/icons';
import { useState } from 'react';
import { Button } from '../../shared/ui/button.tsx';
import { CopyButton } from '../../shared/ui/copy-button.tsx';

/** A code of which only the last four signs are open until asked for; to be copied without showing it. */
export const AccessCode = ({
  code,
  of,
  copy = false,
}: {
  readonly code: string;
  readonly of: string;
  readonly copy?: boolean;
}) => {
  const [open, setOpen] = useState(false);
  // Who may not reissue a code is told none: an eye would open nothing.
  if (code === '') return <span className="z-quiet">скрыт</span>;
  const masked = '•'.repeat(Math.max(0, code.length - 4)) + code.slice(-4);
  return (
    <span className="z-access-code">
      <span className="z-mono" aria-label={open ? undefined : `Код скрыт, последние знаки ${code.slice(-4)}`}>
        {open ? code : masked}
      </span>
      <Button
        small
        look="plain"
        icon={open ? <EyeOff size={14} /> : <EyeOpen size={14} />}
        aria-label={`${open ? 'Скрыть' : 'Показать'} код: ${of}`}
        aria-pressed={open}
        onClick={() => setOpen(!open)}
      />
      {copy && <CopyButton small text={code} what={`код доступа, ${of}`} />}
    </span>
  );
};
