import type { ScopeStatus } from '../live/live.ts';
import { useLive } from '../live/live-context.tsx';
import { ApiProblem } from '../api/api-problem.ts';
import { ErrorState, Skeleton } from '../ui/states.tsx';

/** In place of what a scope has not brought yet: grey lines, or why it does not come, with a way to try again. */
export const ScopeWaiting = ({
  status,
  ...skeleton
}: {
  readonly status: ScopeStatus;
  readonly rows?: number;
  /** Of one row, in px. */
  readonly height?: number;
  readonly label?: string;
}) => {
  const live = useLive();
  if (status.kind !== 'refused') return <Skeleton {...skeleton} />;
  const { code, status: httpStatus, error, instance } = status.problem;
  return (
    <ErrorState
      error={new ApiProblem({ code, status: httpStatus, message: error, requestId: instance })}
      onRetry={() => live.retryNow()}
    />
  );
};
