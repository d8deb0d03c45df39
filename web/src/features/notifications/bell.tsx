import { Notifications as BellIcon } from '@blueprintjs/icons';
import { plural } from '@zakup/domain/russian';
import { useState } from 'react';
import { useNarrow } from '../../shared/ui/use-media.ts';
import { ModalDrawer } from '../../shared/ui/modal-drawer.tsx';
import { ErrorBoundary } from '../../shared/ui/error-boundary.tsx';
import { useOnOpenNotifications } from '../../shared/live/notifications-opener.ts';
import { useMoment } from '../../shared/moment/moment-context.ts';
import { NotificationPanel } from './notification-panel.tsx';
import { useAbsence } from './use-absence.ts';
import type { Wanted } from './outbox-rows.tsx';
import { useNotifications } from './use-notifications.ts';
import { Popover } from '../../shared/ui/popover.tsx';
import './notifications.css';

const name = (unread: number): string =>
  unread === 0
    ? 'Уведомления'
    : `Уведомления: ${unread} ${plural(unread, 'непрочитанное', 'непрочитанных', 'непрочитанных')}`;

/** The bell of the top bar: a red dot while something is unread, and what it is in a popover, a sheet on a phone. */
export const Bell = () => {
  const [open, setOpen] = useState(false);
  const narrow = useNarrow();
  const [wanted, setWanted] = useState<Wanted | null>(null);
  useOnOpenNotifications((entryId) => {
    setWanted(entryId === null ? null : { entryId });
    setOpen(true);
  });
  const told = useNotifications(open);
  const absence = useAbsence(open);
  const isPast = useMoment() !== null;
  const unread = isPast ? 0 : told.unread;
  const close = (): void => setOpen(false);
  const face = (
    <>
      <BellIcon size={15} />
      {unread > 0 && <i className="z-bell-dot" data-testid="bell-dot" aria-hidden="true" />}
    </>
  );
  const content = (
    <ErrorBoundary small>
      {isPast && <p className="z-bell-now">Уведомления и неотправленное – как сейчас</p>}
      <NotificationPanel told={told} absence={absence} wanted={open ? wanted : null} onClose={close} />
    </ErrorBoundary>
  );
  if (narrow)
    return (
      <>
        <button
          type="button"
          className="z-bell"
          aria-haspopup="dialog"
          aria-expanded={open}
          aria-label={name(unread)}
          onClick={() => setOpen(true)}
        >
          {face}
        </button>
        <ModalDrawer
          name="Уведомления"
          isOpen={open}
          onClose={close}
          position="bottom"
          size="min(560px, 82vh)"
          className="z-bell-sheet"
          bodyClassName="z-bell-modal"
          closeClassName="z-bell-close"
        >
          {content}
        </ModalDrawer>
      </>
    );
  return (
    <Popover
      placement="bottom-end"
      arrow={false}
      isOpen={open}
      onInteraction={setOpen}
      onOpened={(panel) =>
        (
          panel.querySelector<HTMLElement>('.z-bell-wanted .z-bell-choice button') ??
          panel.querySelector<HTMLElement>('.z-bell-panel button')
        )?.focus()
      }
      content={content}
      renderTarget={({ isOpen, ref, ...target }) => (
        <button
          {...target}
          ref={ref}
          type="button"
          className="z-bell"
          aria-haspopup="true"
          aria-expanded={isOpen}
          aria-label={name(unread)}
          title="Уведомления"
        >
          {face}
        </button>
      )}
    />
  );
};
