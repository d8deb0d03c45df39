import type { ScopeStatus } from './live.ts';
import { useLive } from './live-context.tsx';
import { ApiProblem } from '../api/api-problem.ts';
import { ErrorState, Skeleton } from '../ui/states.tsx';
import { LoadBar } from '../load/load-bar.tsx';
import './scope-waiting.css';

/** In place of what a scope has not brought yet: grey lines, how far a long load is where that is asked for, or why it does not come, with a way to try again. */
export const ScopeWaiting = ({
  status,
  counted = false,
  ...skeleton
}: {
  readonly status: ScopeStatus;
  /** Whether a long load says how far it is: in one place of a screen. */
  readonly counted?: boolean;
  readonly rows?: number;
  /** Of one row, in px. */
  readonly height?: number;
  readonly label?: string;
}) => {
  const live = useLive();
  if (status.kind !== 'refused') {
    const lines = <Skeleton {...skeleton} />;
    if (!counted) return lines;
    return (
      <div className="z-scope-waiting">
        {lines}
        {status.kind === 'loading' && status.progress && <LoadBar progress={status.progress} />}
      </div>
    );
  }
  const { code, status: httpStatus, error, instance } = status.problem;
  return (
    <ErrorState
      error={new ApiProblem({ code, status: httpStatus, message: error, requestId: instance })}
      onRetry={() => live.retryNow()}
    />
  );
};
