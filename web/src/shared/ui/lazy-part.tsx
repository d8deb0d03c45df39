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

/** `preload`: loads the code beforehand, so that the first time is as fast as the next; where it does not come, the first time asks again. */
export type LazyPart<Props> = ComponentType<Props> & { readonly preload: () => void };

const givenTo = <Props extends object>(Part: ComponentType<Props>): ComponentType<Given<Props>> =>
  function GivenPart({ given }) {
    return <Part {...given} />;
  };

const lazyOf = <Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Given<Props>> =>
  lazy(async () => ({ default: givenTo(await load()) }));

/**
 * A component whose code is loaded when it is first drawn. Where the code does not come, or the component crashes, the rest of the screen
 * stays; «Повторить» and the next time it is opened load it anew, which `lazy` of React does not.
 */
export const lazyPart = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { waiting = null, failed = (retry) => <FailedPart onRetry={retry} /> }: LazyPartOptions<Props> = {},
): LazyPart<Props> => {
  let coming: ComponentType<Given<Props>> | null = null;
  const come = () => (coming ??= lazyOf(load));
  const forget = (): void => {
    coming = null;
  };
  const preload = (): void => {
    if (coming !== null) return;
    load()
      // Not `lazy`, which waits also for what is there: React shows nothing in place of `waiting` for 300 ms.
      .then((Part) => (coming ??= givenTo(Part)))
      .catch(() => undefined);
  };
  const Loaded = (props: Props) => {
    const [Part, setPart] = useState(come);
    return (
      <ErrorBoundary
        onFailed={forget}
        renderFailed={(retry) =>
          failed(() => {
            setPart(() => come());
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
  return Object.assign(Loaded, { preload });
};
