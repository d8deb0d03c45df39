import type { ImportWire } from '@zakup/contracts/imports';
import { useDoc } from '../replica/replica-context.tsx';
import { LiveRegion } from '../toasts/live-region.tsx';
import { Button } from '../ui/button.tsx';
import { Meter } from '../ui/meter.tsx';
import { ImportErrors } from './import-errors.tsx';
import { isUndone, progressOf, stateText } from './import-state.ts';
import { UndoImport } from './undo-import.tsx';
import { useAsked } from './use-asked.ts';

/** How far an import has come, with the way to stop it, and after its end to take it back, which is followed as well. */
export const ImportProgress = ({
  started,
  onClose,
  onBegun,
}: {
  readonly started: ImportWire;
  readonly onClose: () => void;
  /** Called with the position at which its undo began. */
  readonly onBegun?: (position: number) => void;
}) => {
  // The live document is newer than the answer that began it.
  const one = useDoc('import', started.id) ?? started;
  const { busy, problem, ask } = useAsked();
  const progress = progressOf(one);
  const isRunning = one.status === 'running';
  return (
    <div className="z-form z-import-progress">
      <p className="z-import-summary">
        <b>{one.name}</b>
        <LiveRegion>{stateText(one)}</LiveRegion>
      </p>
      {progress !== null && (
        <Meter value={progress} tone="accent" label={isRunning ? 'Ход импорта' : 'Ход отмены'} text={stateText(one)} />
      )}
      {!isRunning && !isUndone(one) && <ImportErrors report={one.report} name={one.name} />}
      {problem !== null && (
        <p role="alert" className="z-bad">
          {problem}
        </p>
      )}
      <div className="z-import-line">
        {isRunning ? (
          <Button disabled={busy} onClick={() => void ask('DELETE', `/api/imports/${encodeURIComponent(one.id)}`)}>
            Остановить
          </Button>
        ) : (
          <>
            <Button look="primary" onClick={onClose}>
              Хорошо
            </Button>
            <UndoImport one={one} {...(onBegun && { onBegun })} />
          </>
        )}
      </div>
    </div>
  );
};
