import { showTime } from '@zakup/domain/calendar';
import { problemText } from '../api/api-problem.ts';
import { ErrorState } from '../ui/states.tsx';
import { Note } from './note.tsx';

/** What a read of React Query tells of itself. */
export interface ReadOutcome {
  readonly data: unknown;
  /** Of the last attempt; null = it went well. */
  readonly error: Error | null;
  /** Milliseconds since the epoch, of the last answer; 0 = there was none. */
  readonly dataUpdatedAt: number;
  readonly refetch: () => Promise<unknown>;
}

/** Of older data: that it could not be read anew, of when it is, and a way to try again. */
export const OlderData = ({
  of,
  error,
  dataAt,
  onRetry,
}: {
  /** What it is, where the screen has more than one read. */
  readonly of?: string;
  readonly error: unknown;
  /** Milliseconds since the epoch; null = not known. */
  readonly dataAt: number | null;
  readonly onRetry: () => void;
}) => (
  <Note of={of} onRetry={onRetry}>
    Не обновилось: {problemText(error).replace(/\.$/u, '')}.{' '}
    {dataAt === null
      ? 'Показано то, что сохранил этот браузер.'
      : `Данные на ${showTime(new Date(dataAt).toISOString())}.`}
  </Note>
);

/** A read that failed, in place of its data or beside older data; nothing while all is well. */
export const QueryFailure = ({
  query: { data, error, dataUpdatedAt, refetch },
  of,
}: {
  readonly query: ReadOutcome;
  /** What it reads, where the screen has more than one read. */
  readonly of?: string;
}) => {
  if (error === null) return null;
  const retry = (): void => {
    refetch().catch(() => undefined);
  };
  return data === undefined ? (
    <ErrorState error={error} onRetry={retry} />
  ) : (
    <OlderData {...(of !== undefined && { of })} error={error} dataAt={dataUpdatedAt} onRetry={retry} />
  );
};
