import { Calendar } from '@blueprintjs/icons';
import { useState } from 'react';
import { lazyPart } from '../ui/lazy-part.tsx';
import { Popover } from '../ui/popover.tsx';

const LazyPicker = lazyPart(async () => (await import('./moment-picker.tsx')).MomentPicker, {
  waiting: <div className="z-moment-picker" />,
});

/** The moment on the screen, and the way to choose another by its date and time. */
export const MomentTitle = ({
  at,
  title,
  below,
  onPick,
}: {
  /** UTC instant, ISO 8601; null until it is known. */
  readonly at: string | null;
  readonly title: string;
  readonly below: string;
  readonly onPick: (at: string) => void;
}) => {
  const [picking, setPicking] = useState(false);
  return (
    <Popover
      placement="bottom-start"
      isOpen={picking}
      onInteraction={setPicking}
      content={
        <LazyPicker
          at={at}
          onPick={(picked) => {
            setPicking(false);
            onPick(picked);
          }}
        />
      }
      renderTarget={({ isOpen, ref, ...target }) => (
        <button
          {...target}
          ref={ref}
          type="button"
          className="z-time-title"
          aria-expanded={isOpen}
          title="Выбрать дату и время"
        >
          <Calendar size={16} />
          <span>
            <b>{title}</b>
            <small>{below}</small>
          </span>
        </button>
      )}
    />
  );
};
