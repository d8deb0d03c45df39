import { type Intent, OverlayToaster, Toast } from '@blueprintjs/core';
import { Error as ErrorIcon, InfoSign, Tick } from '@blueprintjs/icons';
import { useSyncExternalStore } from 'react';
import { type ToastKind, toastMillis } from './toast-queue.ts';
import { toastStore, toasts } from './toasts.ts';

const intents: Record<ToastKind, Intent> = { success: 'success', error: 'danger', default: 'none' };
const icons: Record<ToastKind, typeof Tick> = { success: Tick, error: ErrorIcon, default: InfoSign };

/** Draws the queue. Mounted once below the signed-in layout. */
export const ToastHost = () => {
  const { shown } = useSyncExternalStore(toastStore.subscribe, toastStore.read);
  return (
    <OverlayToaster position="top-right" canEscapeKeyClear={false}>
      {shown.map(({ id, kind, text, action }) => {
        const Icon = icons[kind];
        return (
          <Toast
            key={id}
            className={`z-toast z-toast-${kind}`}
            intent={intents[kind]}
            icon={<Icon size={16} />}
            message={text}
            timeout={toastMillis[kind]}
            isCloseButtonShown={false}
            onDismiss={() => toasts.dismiss(id)}
            {...(action && { action: { text: action.text, onClick: action.run } })}
          />
        );
      })}
    </OverlayToaster>
  );
};
