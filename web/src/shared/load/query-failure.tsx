import { WarningSign } from '@blueprintjs/icons';
import { showTime } from '@zakup/domain/calendar';
import { problemText } from '../api/api-problem.ts';
import { Button } from '../ui/button.tsx';
import { ErrorState } from '../ui/states.tsx';
import './query-failure.css';

/** What a read of React Query tells of itself. */
export interface ReadOutcome {
  readonly data: unknown;
  /** Of the last attempt; null = it went well. */
  readonly error: Error | null;
  /** Milliseconds since the epoch, of the last answer; 0 = there was none. */
  readonly dataUpdatedAt: number;
  readonly refetch: () => Promise<unknown>;
}

/** Above older data: that it could not be read anew, of when it is, and a way to try again. */
export const OlderData = ({
  error,
  dataAt,
  onRetry,
}: {
  readonly error: unknown;
  /** Milliseconds since the epoch; null = not known. */
  readonly dataAt: number | null;
  readonly onRetry: () => void;
}) => (
  <div className="z-older" role="alert">
    <WarningSign size={14} />
    <p>
      Не обновилось: {problemText(error).replace(/\.$/u, '')}.{' '}
      {dataAt === null
        ? 'Показано то, что сохранил этот браузер.'
        : `Данные на ${showTime(new Date(dataAt).toISOString())}.`}
    </p>
    <Button small onClick={onRetry}>
      Повторить
    </Button>
  </div>
);

/** A read that failed, in place of its data or above older data; nothing while all is well. */
export const QueryFailure = ({ query: { data, error, dataUpdatedAt, refetch } }: { readonly query: ReadOutcome }) => {
  if (error === null) return null;
  const retry = (): void => {
    refetch().catch(() => undefined);
  };
  return data === undefined ? (
    <ErrorState error={error} onRetry={retry} />
  ) : (
    <OlderData error={error} dataAt={dataUpdatedAt} onRetry={retry} />
  );
};
