import { type RefObject, useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { NavigationType, useLocation, useNavigationType, useSearchParams } from 'react-router-dom';
import type { GridSorting } from '../../../shared/table/grid-column.ts';
import { toasts } from '../../../shared/toasts/toasts.ts';
import { copyText } from '../../../shared/ui/copy-text.ts';
import { withoutFilters } from './placement-filters.ts';
import { type AddressedView, type TableView, viewIn, viewText, viewTextIn, withViewText } from './view-address.ts';

/** What follows within so many ms on a change of the same member is one step of the history with it: ticking five buyers, writing a word. */
const sameStep = 10_000;
/** So many ms after the last change of a step the address follows: browsers refuse a hundred of them in half a minute. */
const settling = 300;

/** Whether what a person changes is a step that Back takes back. */
export const viewSteps = (now: () => number = Date.now) => {
  let last: { readonly member: string; readonly at: number } | null = null;
  let isStep = false;
  let isDeliberate = false;
  return {
    /** The person changes a member of the view. */
    take(member: string): void {
      isStep ||= last === null || last.member !== member || now() - last.at > sameStep;
      isDeliberate = true;
      last = { member, at: now() };
    },
    /** Another view is on the screen: what comes next is a step of its own. */
    part(): void {
      last = null;
      isStep = false;
      isDeliberate = false;
    },
    isStep: () => isStep,
    isDeliberate: () => isDeliberate,
    /** The address says it. */
    written(): void {
      isStep = false;
      isDeliberate = false;
    },
  };
};
export type ViewSteps = ReturnType<typeof viewSteps>;

/** What the address is to say soon. */
interface Waiting {
  readonly text: string;
  readonly timer: number;
}

const stopWaiting = (waiting: RefObject<Waiting | null>): void => {
  if (waiting.current !== null) window.clearTimeout(waiting.current.timer);
  waiting.current = null;
};

interface ViewAddressSpec {
  readonly campaignId: string;
  /** As it is on the screen. */
  readonly view: TableView;
  /** The order where nothing says another. */
  readonly usual: GridSorting;
  readonly steps: ViewSteps;
  /** The address asks for another view. */
  readonly onAsked: (asked: AddressedView) => void;
}

/**
 * Keeps the view of a campaign's table and the address the same. Where the address says a view, that is shown; where it says none, the table
 * stays as it is, and the address follows unless nothing is narrowed. A chosen change is a step of the history, what is typed after it is not.
 */
export const useViewAddress = ({ campaignId, view, usual, steps, onAsked }: ViewAddressSpec) => {
  const [params, setParams] = useSearchParams();
  const navigation = useNavigationType();
  const location = useLocation();
  const named = params.get('campaign');
  // One that is not there (yet) has its own view: nobody else's is narrowed by it.
  const isOurs = named === null || named === campaignId;
  const inAddress = viewTextIn(params);
  const text = viewText(view);
  const seen = useRef<string | null>(null);
  const seenLocation = useRef(location);
  /** Written, and not yet what the router says: the last is what the address will be. */
  const onTheWay = useRef<readonly string[]>([]);
  const waiting = useRef<Waiting | null>(null);

  const write = useEffectEvent((replace: boolean): void => {
    onTheWay.current = [...onTheWay.current, text];
    steps.written();
    setParams(
      (before) => {
        const next = withViewText(before, text);
        next.set('campaign', campaignId);
        return next;
      },
      { replace, preventScrollReset: true },
    );
  });

  // After every render, as either side may have changed; it compares two texts.
  useLayoutEffect(() => {
    const isPopped = location !== seenLocation.current && navigation === NavigationType.Pop;
    seenLocation.current = location;
    // Back may come before a step was drawn: then the address is what it was, and the step is not on the way any more.
    if (isOurs && (inAddress !== seen.current || (isPopped && onTheWay.current.length > 0))) {
      const isFirst = seen.current === null;
      const own = onTheWay.current.indexOf(inAddress);
      seen.current = inAddress;
      onTheWay.current = own < 0 ? [] : onTheWay.current.slice(own + 1);
      if (own < 0) {
        stopWaiting(waiting);
        steps.part();
        // Back to where nothing was narrowed, while what was since is remembered.
        const isWhole = inAddress === '' && !isFirst && navigation === NavigationType.Pop;
        if (inAddress !== '' || isWhole) {
          onAsked(viewIn(params, usual));
          return;
        }
      }
    }
    const said = onTheWay.current.at(-1) ?? seen.current ?? '';
    const whole = { filters: withoutFilters, contractorId: null, sorting: usual, grouping: null, page: 1 };
    const isSaid = text === said || (!steps.isDeliberate() && (!isOurs || (said === '' && text === viewText(whole))));
    if (isSaid || waiting.current?.text !== text) stopWaiting(waiting);
    if (isSaid) steps.written();
    else if (steps.isStep()) write(false);
    else waiting.current ??= { text, timer: window.setTimeout(() => write(true), settling) };
  });
  useEffect(() => () => stopWaiting(waiting), []);

  const at = params.get('at');
  const copyLink = useCallback((): void => {
    const address = new URLSearchParams({ campaign: campaignId, ...(at !== null && { at }) });
    copyText(`${window.location.origin}/dashboard?${withViewText(address, text).toString()}`).then(
      () => toasts.success('Ссылка на вид скопирована'),
      () => toasts.error('Не удалось скопировать ссылку'),
    );
  }, [campaignId, at, text]);
  return { text, copyLink };
};
