import { type ReactNode, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { type SetURLSearchParams, useLocation, useSearchParams } from 'react-router-dom';
import { useApi } from '../api/api-context.tsx';
import { LiveProvider, useLive } from '../live/live-context.tsx';
import { OutboxProvider, useOutbox } from '../outbox/outbox-context.tsx';
import { ReplicaProvider, useReplica } from '../replica/replica-context.tsx';
import { type Moment, MomentProvider } from '../moment/moment-context.ts';
import { NowProvider } from './now-below.tsx';
import { type Past, PastProvider } from './past-context.ts';
import type { PastState } from './past-moments.ts';
import { pastOutbox } from './past-outbox.ts';
import { pastView } from './past-view.ts';
import { canTravel } from '../moment/then-path.ts';
import { useTimeline } from './use-timeline.ts';

const clock = {
  setTimeout: (run: () => void, ms: number) => window.setTimeout(run, ms),
  clearTimeout: (handle: unknown) => window.clearTimeout(handle as number),
};

/** Remembers where everything in the content was scrolled to. */
const scrollKeeper = () => {
  let kept: readonly (readonly [Element, number])[] = [];
  return {
    keep(): void {
      const elements = [...document.querySelectorAll('#content, #content *')];
      kept = elements.filter(({ scrollTop }) => scrollTop > 0).map((element) => [element, element.scrollTop]);
    },
    restore(): void {
      for (const [element, top] of kept) element.scrollTo({ top });
      kept = [];
    },
  };
};

/** Says on the document that it shows the past. */
const usePastMark = (isPast: boolean): void => {
  useEffect(() => {
    if (!isPast) return undefined;
    document.documentElement.dataset['past'] = '';
    return () => {
      delete document.documentElement.dataset['past'];
    };
  }, [isPast]);
};

/** Back where one was, once now is painted. */
const useScrollBack = (isPast: boolean, scroll: ReturnType<typeof scrollKeeper>): void => {
  const wasPast = useRef(false);
  useEffect(() => {
    if (wasPast.current && !isPast) scroll.restore();
    wasPast.current = isPast;
  }, [isPast, scroll]);
};

/** A time becomes the position of its event, so that the address keeps meaning the same. */
const useSettledAddress = (state: PastState, at: string | null, setParams: SetURLSearchParams): void => {
  const position = state.shown?.position ?? null;
  useEffect(() => {
    const isShown = !state.loading && state.problem === null && state.asked === at;
    if (at === null || position === null || !isShown || at === String(position)) return;
    setParams(
      (before) => {
        before.set('at', String(position));
        return before;
      },
      { replace: true },
    );
  }, [at, position, state.loading, state.problem, state.asked, setParams]);
};

/**
 * Everything below shows the moment of `?at=`, read-only; without it, now. What is on the screen stays mounted on the way
 * there and back.
 */
export const PastHost = ({ children }: { readonly children: ReactNode }) => {
  const api = useApi();
  const live = useLive();
  const now = useReplica();
  const outbox = useOutbox();
  const { pathname } = useLocation();
  const [params, setParams] = useSearchParams();
  const at = canTravel(pathname) ? params.get('at') : null;
  const campaignId = params.get('campaign');
  const view = useMemo(() => pastView({ api, live, now, clock }), [api, live, now]);
  const state = useSyncExternalStore(view.subscribe, view.state);
  const [scroll] = useState(scrollKeeper);
  const isPast = at !== null;

  useEffect(() => {
    if (at === null) view.leave();
    else view.show(at);
  }, [view, at]);

  usePastMark(isPast);
  useScrollBack(isPast, scroll);

  const position = state.shown?.position ?? null;
  const { data: timeline = null } = useTimeline(campaignId, isPast && position !== null ? String(position) : null, now);
  // Of what is painted, and of nothing else: the bar, the days and the names of files say it.
  const told = timeline?.around === String(position) ? (timeline.at?.at ?? null) : null;
  const instant = state.shown?.instant ?? told;

  useSettledAddress(state, at, setParams);
  const moment = useMemo((): Moment | null => {
    if (!isPast) return null;
    return { position, at: instant, now };
  }, [isPast, position, instant, now]);

  const past = useMemo((): Past => {
    const go = (next: string): void =>
      setParams(
        (before) => {
          before.set('at', next);
          return before;
        },
        { replace: true },
      );
    return {
      state: isPast ? state : null,
      campaignId,
      timeline,
      go,
      retry: view.retry,
      enter: (campaign) => {
        scroll.keep();
        const scope = campaign === null ? 'workspace' : `campaign:${campaign}`;
        const head = Math.max(now.position(scope) ?? 0, now.position('workspace') ?? 0);
        setParams((before) => {
          if (campaign !== null) before.set('campaign', campaign);
          before.set('at', String(head));
          return before;
        });
      },
      leave: () =>
        setParams((before) => {
          before.delete('at');
          return before;
        }),
    };
  }, [isPast, state, campaignId, timeline, setParams, view, now, scroll]);

  const present = useMemo(() => ({ replica: now, live, outbox }), [now, live, outbox]);

  return (
    <PastProvider value={canTravel(pathname) ? past : null}>
      <MomentProvider value={moment}>
        <NowProvider value={present}>
          <ReplicaProvider value={(isPast ? state.shown?.replica : null) ?? now}>
            <LiveProvider value={isPast ? view.live : live}>
              <OutboxProvider value={isPast ? pastOutbox : outbox}>{children}</OutboxProvider>
            </LiveProvider>
          </ReplicaProvider>
        </NowProvider>
      </MomentProvider>
    </PastProvider>
  );
};
