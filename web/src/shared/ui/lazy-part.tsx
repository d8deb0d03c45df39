import { type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react';
import { ErrorBoundary, FailedPart } from './error-boundary.tsx';

interface LazyPartOptions<Props> {
  /** What stands there until it comes. Default: nothing. */
  readonly waiting?: ReactNode;
  /** What stands there where it does not come or crashes. Default: `FailedPart`. */
  readonly failed?: (retry: () => void, props: Props) => ReactNode;
}

interface Given<Props> {
  readonly given: Props;
}

const lazyOf = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  lazy(async () => {
    const Part = await load();
    return { default: ({ given }: Given<Props>) => <Part {...given} /> };
  });

/**
 * A component whose code is loaded when it is first drawn. Where the code does not come, or the component crashes, the rest of the screen
 * stays; «Повторить» and the next time it is opened load it anew, which `lazy` of React does not.
 */
export const lazyPart = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { waiting = null, failed = (retry) => <FailedPart onRetry={retry} /> }: LazyPartOptions<Props> = {},
): ComponentType<Props> => {
  let coming: ReturnType<typeof lazyOf<Props>> | null = null;
  const come = () => (coming ??= lazyOf(load));
  const forget = (): void => {
    coming = null;
  };
  return function LazyPart(props: Props) {
    const [Part, setPart] = useState(come);
    return (
      <ErrorBoundary
        onFailed={forget}
        renderFailed={(retry) =>
          failed(() => {
            setPart(come());
            retry();
          }, props)
        }
      >
        <Suspense fallback={waiting}>
          <Part given={props} />
        </Suspense>
      </ErrorBoundary>
    );
  };
};
