import { useEffect, useRef, useState } from 'react';
import { unsentCount } from '../outbox/outbox.ts';
import { useLeaveGuard, useOutbox, useOutboxSummary } from '../outbox/outbox-context.tsx';
import { guardSignOut } from '../session/session-context.tsx';
import { ConfirmDialog } from '../ui/dialog.tsx';

/** Asks before signing out, and before leaving where nothing can be kept, while changes are unsent. */
export const UnsentGuard = () => {
  const outbox = useOutbox();
  const { unsent } = useOutboxSummary();
  const [asked, setAsked] = useState(false);
  const answer = useRef<((leave: boolean) => void) | null>(null);
  useLeaveGuard();

  useEffect(
    () =>
      guardSignOut(() => {
        if (unsentCount(outbox.entries()) === 0) return Promise.resolve(true);
        setAsked(true);
        return new Promise((resolve) => {
          answer.current = resolve;
        });
      }),
    [outbox],
  );

  if (!asked) return null;
  const decide = (leave: boolean): void => {
    setAsked(false);
    answer.current?.(leave);
  };
  return (
    <ConfirmDialog
      title={`Не отправлено: ${unsent}. Выйти и оставить их здесь?`}
      confirm="Выйти"
      cancel="Остаться"
      onConfirm={() => decide(true)}
      onCancel={() => decide(false)}
    >
      {outbox.durable()
        ? 'Они уйдут сами, когда вы войдёте снова в этом браузере.'
        : 'Этот браузер ничего не хранит: после выхода они пропадут.'}
    </ConfirmDialog>
  );
};
