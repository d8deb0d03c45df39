import { AnchorButton, ButtonGroup, OverlayToaster } from '@blueprintjs/core';
import { Error as ErrorIcon, InfoSign, Tick } from '@blueprintjs/icons';
import { type Ref, useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import { type Toast, type ToastKind, toastMillis } from './toast-queue.ts';
import { toastStore, toasts } from './toasts.ts';

const intents: Record<ToastKind, string> = { success: ' bp6-intent-success', error: ' bp6-intent-danger', default: '' };
const icons: Record<ToastKind, typeof Tick> = { success: Tick, error: ErrorIcon, default: InfoSign };

/** Looks like Blueprint's own, which would interrupt a screen reader for every success. Stays while pointed at or in use. */
const ToastView = ({
  toast: { id, kind, text, action },
  className = '',
  ref,
}: {
  readonly toast: Toast;
  /** These two come from the toaster around it. */
  readonly className?: string;
  readonly ref?: Ref<HTMLDivElement>;
}) => {
  const [held, setHeld] = useState(false);
  const dismiss = useEffectEvent(() => toasts.dismiss(id));
  useEffect(() => {
    if (held) return undefined;
    const timer = setTimeout(dismiss, toastMillis[kind]);
    return () => clearTimeout(timer);
  }, [held, kind]);
  const Icon = icons[kind];
  return (
    <div
      ref={ref}
      className={`bp6-toast z-toast z-toast-${kind}${intents[kind]} ${className}`}
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
        </ButtonGroup>
      )}
    </div>
  );
};

/** How long an announcement stands there: longer than a screen reader takes to come to it. */
const announcedMillis = 5_000;

/**
 * Draws the queue in the one polite live region, which also says what only a screen reader needs to be told. Mounted once: below the
 * signed-in layout, the administrator's, or the activation.
 */
export const ToastHost = () => {
  const { shown } = useSyncExternalStore(toastStore.subscribe, toastStore.read);
  const announced = useSyncExternalStore(toastStore.subscribe, toastStore.announced);
  useEffect(() => {
    if (announced === null) return undefined;
    const timer = setTimeout(() => toastStore.silence(announced.id), announcedMillis);
    return () => clearTimeout(timer);
  }, [announced]);
  return (
    <OverlayToaster position="top-right" canEscapeKeyClear={false}>
      {[
        ...(announced === null
          ? []
          : [
              <p key={`announced ${announced.id}`} className="z-visually-hidden">
                {announced.text}
              </p>,
            ]),
        ...shown.map((toast) => <ToastView key={toast.id} toast={toast} />),
      ]}
    </OverlayToaster>
  );
};
