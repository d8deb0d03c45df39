import { LiveRegion } from '../toasts/live-region.tsx';
import { Duplicate, Tick } from '@blueprintjs/icons';
import { useEffect, useState } from 'react';
import { Button, type ButtonProps } from './button.tsx';
import { copyText } from './copy-text.ts';

/** Copies `text`; says «Скопировано» for 2 seconds. `what` names it for a screen reader when there are several. */
export const CopyButton = ({
  text,
  what,
  label = 'Скопировать',
  ...rest
}: { readonly text: string; readonly what?: string; readonly label?: string } & Pick<
  ButtonProps,
  'look' | 'small'
>) => {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), 2_000);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = (): void => {
    copyText(text).then(
      () => setState('copied'),
      () => setState('failed'),
    );
  };
  return (
    <Button
      {...rest}
      icon={state === 'copied' ? <Tick size={14} /> : <Duplicate size={14} />}
      onClick={copy}
      aria-label={what === undefined || state !== 'idle' ? undefined : `${label}: ${what}`}
    >
      <LiveRegion later>{state === 'copied' ? 'Скопировано' : state === 'failed' ? 'Не удалось' : label}</LiveRegion>
    </Button>
  );
};
