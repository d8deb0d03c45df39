import { AnchorButton, ButtonGroup } from '@blueprintjs/core';
import { Cross, Error as ErrorIcon, InfoSign, Tick } from '@blueprintjs/icons';
import { useEffect, useEffectEvent, useLayoutEffect, useState, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { liveRegion } from './live-region.ts';
import { type Toast, type ToastKind, toastMillis, wayBackMillis } from './toast-queue.ts';
import { takenAreas, topOf } from './toast-place.ts';
import { toastStore, toasts } from './toasts.ts';

const intents: Record<ToastKind, string> = { success: ' bp6-intent-success', error: ' bp6-intent-danger', default: '' };
const icons: Record<ToastKind, typeof Tick> = { success: Tick, error: ErrorIcon, default: InfoSign };

/** Looks like Blueprint's own, which would interrupt a screen reader for every success. Stays while pointed at or in use. */
const ToastView = ({ toast: { id, kind, text, action, wayBack } }: { readonly toast: Toast }) => {
  const [held, setHeld] = useState(false);
  const dismiss = useEffectEvent(() => toasts.dismiss(id));
  useEffect(() => {
    if (held) return undefined;
    const timer = setTimeout(dismiss, wayBack ? wayBackMillis : toastMillis[kind]);
    return () => clearTimeout(timer);
  }, [held, kind, wayBack]);
  const Icon = icons[kind];
  return (
    <div
      className={`bp6-toast z-toast z-toast-${kind}${intents[kind]}`}
      data-held={held || undefined}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon size={16} />
      <span className="bp6-toast-message" {...(kind === 'error' && { role: 'alert' })}>
        {text}
      </span>
      {action && (
        <ButtonGroup variant="minimal">
          <AnchorButton
            text={action.text}
            onClick={() => {
              action.run();
              toasts.dismiss(id);
            }}
          />
          {wayBack && (
            <AnchorButton icon={<Cross size={16} />} aria-label="Скрыть сообщение" onClick={() => toasts.dismiss(id)} />
          )}
        </ButtonGroup>
      )}
    </div>
  );
};

/** Puts the toasts where they lie on nothing that one presses next; as high as that is. */
const place = (region: HTMLElement): void => {
  const page = region.ownerDocument;
  const boxes = [...region.querySelectorAll('.z-toast')].map((toast) => toast.getBoundingClientRect());
  const [first, last] = [boxes[0], boxes.at(-1)];
  if (first === undefined || last === undefined) return;
  const left = Math.min(...boxes.map((box) => box.left));
  const top = topOf(
    { left, right: first.right, height: last.bottom - first.top },
    takenAreas(page),
    window.innerHeight,
  );
  region.style.setProperty('--toasts-top', `${top}px`);
};

/** Draws the queue in the page's live region. Mounted once, where something may be said: below the signed-in layout or the administrator's. */
export const ToastHost = () => {
  const { shown } = useSyncExternalStore(toastStore.subscribe, toastStore.read);
  const region = liveRegion(document);
  // With the screens of the person who took something away the offers go.
  useEffect(() => toasts.withdrawWaysBack, []);
  useLayoutEffect(() => {
    if (shown.length === 0) return undefined;
    let frame = 0;
    const follow = (): void => {
      // Nothing goes away from under the pointer or the focus.
      if (region.querySelector('[data-held]') === null) place(region);
      frame = requestAnimationFrame(follow);
    };
    place(region);
    frame = requestAnimationFrame(follow);
    return () => cancelAnimationFrame(frame);
  }, [region, shown]);
  return createPortal(
    shown.map((toast) => <ToastView key={toast.id} toast={toast} />),
    region,
  );
};
