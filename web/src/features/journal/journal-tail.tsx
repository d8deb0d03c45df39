import { formatNumber } from '@zakup/domain/russian';
import { problemText } from '../../shared/api/api-problem.ts';
import { LiveRegion } from '../../shared/toasts/live-region.tsx';
import { Button } from '../../shared/ui/button.tsx';
import type { Audit } from './use-audit.ts';

/** Below the last row: what is done about older entries. */
export const JournalTail = ({
  audit,
  narrowed,
  stopped,
  onStopped,
}: {
  readonly audit: Audit;
  /** True while filters are set. */
  readonly narrowed: boolean;
  readonly stopped: boolean;
  readonly onStopped: (stopped: boolean) => void;
}) => {
  const { complete, error } = audit;
  if (error !== null)
    return (
      <p role="alert">
        {problemText(error)}{' '}
        <Button small onClick={audit.retry}>
          Повторить
        </Button>
      </p>
    );
  if (complete) return audit.entries.length > 0 && <p>Это начало журнала{narrowed && ' с такими фильтрами'}.</p>;
  if (stopped)
    return (
      <Button small onClick={() => onStopped(false)}>
        Искать дальше
      </Button>
    );
  return (
    <p>
      <LiveRegion later>
        {narrowed
          ? `Ищем в более ранних записях, просмотрено частей: ${formatNumber(audit.pages)}`
          : 'Загружаем раньше'}
      </LiveRegion>{' '}
      {narrowed && (
        <Button small onClick={() => onStopped(true)}>
          Остановить
        </Button>
      )}
    </p>
  );
};
