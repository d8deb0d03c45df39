const modals = '[role="dialog"][aria-modal="true"], [role="alertdialog"][aria-modal="true"]';
const floating = '.bp6-portal, [data-floating]';
const controls =
  'a[href], button:not(:disabled), input:not(:disabled, [type="hidden"]), select:not(:disabled), textarea:not(:disabled), [tabindex="0"]';
/** They act when Enter or Space is pressed. */
const acting = 'button, a[href], [role="button"]';
/** What a list consists of. */
const rows = 'tr, li, [role="row"], [role="listitem"]';
/** They have the focus on behalf of what they hold. */
const standIns = '.bp6-overlay-start-focus-trap, .bp6-overlay-end-focus-trap, .bp6-dialog-container, [role="dialog"]';

/** What only tells of the page, beside it: its end says nothing of where on the page somebody is. */
const asides = '.z-notes';

/** An element around another one, by where it stands among its neighbours. */
interface Step {
  readonly parent: Element;
  readonly index: number;
  /** Which of its controls the innermost one was; −1 = it was itself the control. */
  readonly control: number;
}

/** What has the focus because nothing in it could be pressed; whatever comes there takes it over. */
let remains: HTMLElement | null = null;

/** Where a control stands, good for finding what stands there once the control has gone. */
export interface FocusPlace {
  readonly element: HTMLElement;
  /** The dialog it is in, or the page. */
  readonly scope: Element;
  /** The address of the page, and what of it is not its frame; null = it is in the frame. */
  readonly path: string;
  readonly main: Element | null;
  /** Whether it is in what only tells of the page. */
  readonly isAside: boolean;
  /** From the inside out. */
  readonly steps: readonly Step[];
}

const controlsOf = (element: Element): readonly HTMLElement[] => [...element.querySelectorAll<HTMLElement>(controls)];

/** The dialog that lies over everything else; null = there is none. */
export const topModal = (): Element | null => [...document.querySelectorAll(modals)].at(-1) ?? null;

const placeIn = (scope: Element, element: HTMLElement): FocusPlace => {
  const steps: Step[] = [];
  for (let at: Element = element; at !== scope && at.parentElement !== null; at = at.parentElement) {
    const parent = at.parentElement;
    steps.push({ parent, index: [...parent.children].indexOf(at), control: controlsOf(at).indexOf(element) });
  }
  const isAside = element.closest(asides) !== null;
  return { element, scope, path: location.pathname, main: element.closest('main'), isAside, steps };
};

/** Null for what only floats for a moment, such as a menu. */
export const focusPlaceOf = (element: HTMLElement): FocusPlace | null => {
  const modal = element.closest(modals);
  if (modal === null && element.closest(floating) !== null) return null;
  return placeIn(modal ?? element.ownerDocument.body, element);
};

/** For as long as what floats is there, its controls have their places in it. */
const passingPlaceOf = (element: HTMLElement): FocusPlace | null => {
  const scope = element.closest(floating);
  return focusPlaceOf(element) ?? (scope === null ? null : placeIn(scope, element));
};

/** Whether the focus may be given to something there: nothing lies over it. */
const isOnTop = ({ scope }: FocusPlace): boolean =>
  scope.matches(floating) ? scope.isConnected : (topModal() ?? document.body) === scope;

/** Whether nothing that somebody could use has the focus. */
export const focusIsLost = (): boolean => {
  const { activeElement, body } = document;
  if (activeElement === null || activeElement === body || !activeElement.isConnected) return true;
  if (activeElement === remains || activeElement.matches(standIns)) return true;
  // In something that is just going.
  return activeElement.closest('.bp6-portal') !== null && !(topModal()?.contains(activeElement) ?? false);
};

const successorOf = ({ steps }: FocusPlace, wasPressed: boolean): HTMLElement | null => {
  for (const { parent, index, control } of steps) {
    if (!parent.isConnected) continue;
    // A table with one Tab stop says itself where that is.
    const stop = parent.closest('[role="grid"]')?.querySelector<HTMLElement>('[tabindex="0"]');
    if (stop) return stop;
    const there = parent.children[Math.min(index, parent.children.length - 1)];
    if (there === undefined) continue;
    if (there instanceof HTMLElement && there.matches(wasPressed ? `${controls}, ${rows}` : controls)) return there;
    const found = controlsOf(there);
    const next = found[Math.max(0, Math.min(control, found.length - 1))];
    if (next !== undefined) return next;
  }
  return null;
};

/** Where nothing can be pressed any more: what it stood in, as far as that is there; of a page its content. */
const remainsOf = ({ scope, steps }: FocusPlace): HTMLElement | null => {
  if (scope === document.body) return document.querySelector('main');
  const around = steps.find(({ parent }) => parent.isConnected)?.parent;
  return around instanceof HTMLElement && !around.matches(standIns) ? around : null;
};

/** Gives the focus also to what cannot have it otherwise, for as long as it stays there. */
const giveFocus = (element: HTMLElement, options: FocusOptions = {}): void => {
  if (!element.matches(controls) && !element.hasAttribute('tabindex')) {
    element.tabIndex = -1;
    element.addEventListener('blur', () => element.removeAttribute('tabindex'), { once: true });
  }
  element.focus(options);
};

/**
 * Gives the focus to the control, or where it has gone to what stands in its place: the same control of the next row, of the last one
 * where there is no next, what is nearest around where the list has gone too, and the whole of the page where that is another one now
 * or where the control only told of it, or of what floats where nothing in it can be pressed.
 * `wasPressed`: a key on the control made its row go; then the next row itself gets the focus, as a second press would act on that too.
 */
export const focusAt = (place: FocusPlace, wasPressed = false): void => {
  if (!place.scope.isConnected) return;
  if (place.element.isConnected) return place.element.focus({ preventScroll: true });
  const isOtherPage = place.path !== location.pathname || place.main?.isConnected === false;
  if (isOtherPage) return document.querySelector('main')?.focus({ preventScroll: true });
  const content = place.isAside ? document.querySelector('main') : null;
  if (content !== null) return giveFocus(content, { preventScroll: true });
  const successor = successorOf(place, wasPressed);
  remains = successor === null ? remainsOf(place) : null;
  const next = successor ?? remains;
  if (next !== null) giveFocus(next);
};

/**
 * Lets no row that goes away take the focus along, whoever deleted it, no part that was drawn anew, and no button that waited for an answer. Answers how to stop. A key that presses and is held acts only where
 * it was pressed first: wherever the focus goes meanwhile, its repeats do nothing.
 */
export const keepFocus = (page: Document): (() => void) => {
  let place: FocusPlace | null = null;
  let asked = 0;
  let pressed: EventTarget | null = null;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    if (!event.repeat) pressed = event.target;
    else if (event.target !== pressed) {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  };
  const onFocusIn = ({ target }: FocusEvent): void => {
    if (target === remains) return;
    remains = null;
    place = target instanceof HTMLElement ? passingPlaceOf(target) : null;
  };
  // Who clicks beside everything wants the focus nowhere.
  const onPointerDown = ({ target }: PointerEvent): void => {
    if (place?.element.isConnected && !place.element.contains(target as Node)) place = null;
  };
  // What is disabled while it waits for an answer is left by the focus for good.
  const isBack = ({ element }: FocusPlace): boolean => element.isConnected && !element.matches(':disabled');
  const mayTake = (one: FocusPlace): boolean => !one.element.isConnected || (isBack(one) && focusIsLost());
  const observer = new MutationObserver(() => {
    if (place === null || asked !== 0 || !mayTake(place)) return;
    asked = requestAnimationFrame(() => {
      asked = 0;
      if (place !== null && mayTake(place) && isOnTop(place) && focusIsLost())
        focusAt(place, place.element === pressed && place.element.matches(acting));
    });
  });
  // Before whatever else a key means.
  page.addEventListener('keydown', onKeyDown, { capture: true });
  page.addEventListener('focusin', onFocusIn);
  page.addEventListener('pointerdown', onPointerDown);
  observer.observe(page.body, { childList: true, subtree: true, attributeFilter: ['disabled'] });
  return () => {
    page.removeEventListener('keydown', onKeyDown, { capture: true });
    page.removeEventListener('focusin', onFocusIn);
    page.removeEventListener('pointerdown', onPointerDown);
    observer.disconnect();
    cancelAnimationFrame(asked);
  };
};
