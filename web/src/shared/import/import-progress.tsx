import type { ImportWire } from '@zakup/contracts/imports';
import { formatNumber } from '@zakup/domain/russian';
import { useState } from 'react';
import { problemText } from '../api/api-problem.ts';
import { useSend } from '../form/use-send.ts';
import { useDoc } from '../replica/replica-context.tsx';
import { LiveRegion } from '../toasts/live-region.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/dialog.tsx';
import { Meter } from '../ui/meter.tsx';
import { ImportErrors } from './import-errors.tsx';

/** «добавлено 400, изменено 10, пропущено 5, с ошибками 5». */
export const writtenText = ({ added, changed, skipped, failed }: ImportWire): string => {
  const parts = (
    [
      ['добавлено', added],
      ['изменено', changed],
      ['пропущено', skipped],
      ['с ошибками', failed],
    ] as const
  ).filter(([, count]) => count > 0);
  return parts.map(([what, count]) => `${what} ${formatNumber(count)}`).join(', ') || 'ничего не записано';
};

const ends: Readonly<Record<Exclude<ImportWire['status'], 'running'>, string>> = {
  done: 'Готово',
  cancelled: 'Остановлен',
  failed: 'Прерван',
};

export const stateText = (one: ImportWire): string =>
  one.status === 'running'
    ? `Записано ${formatNumber(one.done)} из ${formatNumber(one.total)}`
    : `${ends[one.status]}: ${writtenText(one)}`;

/** One change of an import that the person asked for. */
const useAsked = () => {
  const send = useSend();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const ask = async (...call: Parameters<typeof send>): Promise<boolean> => {
    setBusy(true);
    setProblem(null);
    try {
      await send(...call);
      return true;
    } catch (thrown) {
      setProblem(problemText(thrown));
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { busy, problem, ask };
};

/** How far an import has come, with the way to stop it, and after its end to take it back. */
export const ImportProgress = ({
  started,
  onClose,
}: {
  readonly started: ImportWire;
  readonly onClose: () => void;
}) => {
  // The live document is newer than the answer that began it.
  const one = useDoc('import', started.id) ?? started;
  const { busy, problem, ask } = useAsked();
  const [asking, setAsking] = useState(false);
  const [undone, setUndone] = useState(false);
  const written = one.added + one.changed;
  const isRunning = one.status === 'running';
  const takeBack = async (): Promise<void> => {
    setAsking(false);
    if (await ask('POST', '/api/undo', { commandId: one.id })) setUndone(true);
  };
  return (
    <div className="z-form z-import-progress">
      <p className="z-import-summary">
        <b>{one.name}</b>
        <LiveRegion>{undone ? 'Импорт отменён: всё стало как было' : stateText(one)}</LiveRegion>
      </p>
      {isRunning && (
        <Meter
          value={one.total === 0 ? 0 : (one.done / one.total) * 100}
          tone="accent"
          label="Ход импорта"
          text={stateText(one)}
        />
      )}
      {!isRunning && !undone && <ImportErrors report={one.report} name={one.name} />}
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
            {written > 0 && !undone && (
              <Button disabled={busy} onClick={() => setAsking(true)}>
                Отменить импорт
              </Button>
            )}
          </>
        )}
      </div>
      {asking && (
        <ConfirmDialog
          title="Отменить импорт?"
          confirm="Отменить импорт"
          cancel="Вернуться"
          danger
          onConfirm={() => void takeBack()}
          onCancel={() => setAsking(false)}
        >
          Добавленные размещения ({formatNumber(one.added)}) будут удалены, изменённые ({formatNumber(one.changed)})
          получат прежние значения.
        </ConfirmDialog>
      )}
    </div>
  );
};
