import { formatNumber } from '@zakup/domain/russian';
import { type ReactNode, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';
import { seatsTaken } from '../../shared/licence/licence-labels.ts';
import { useOwnLicence } from '../../shared/licence/use-own-licence.ts';
import { useDocs } from '../../shared/replica/replica-context.tsx';
import { Dialog, useDiscardQuestion } from '../../shared/ui/dialog.tsx';
import { useMovingPart } from '../../shared/ui/moving-part.tsx';
import { SlotFill } from '../../shared/ui/slots.tsx';
import { type CreatedEmployee, EmployeeDialog } from './employee-dialog.tsx';
import { EmployeeList } from './employee-list.tsx';
import { EmployeePanel } from './employee-panel.tsx';
import { type IssuedSecret, useIssuedSecrets } from './issued-secrets.ts';
import { SecretBanner } from './secret-banner.tsx';
import { useMedia } from '../../shared/ui/use-media.ts';
import { useNow } from '../../shared/ui/use-now.ts';
import { usePeopleActivity } from './use-people-activity.ts';

const temporaryPasswordMs = 72 * 60 * 60 * 1000;
const clock = (): number => Date.now();

/** Whose card is open; nobody leaves one in which something is typed without a word. */
const useOpenCard = () => {
  const [openId, setOpenId] = useState<string | null>(null);
  const [dirty, setDirty] = useState(false);
  const { leave, question } = useDiscardQuestion(dirty);
  // An address with `person` opens their card, each time that somebody comes by it.
  const [params] = useSearchParams();
  const asked = params.get('person');
  const { key: visit } = useLocation();
  const [visited, setVisited] = useState<string | null>(null);
  if (visit !== visited) {
    setVisited(visit);
    if (asked !== null && asked !== openId) leave(() => setOpenId(asked));
  }
  return {
    openId,
    dirty,
    setDirty,
    question,
    /** Without a question. */
    close: (): void => setOpenId(null),
    leaveCard: (): void => leave(() => setOpenId(null)),
    toggle: (id: string): void => leave(() => setOpenId(id === openId ? null : id)),
  };
};

/** The people of the licence, one of them open beside the list. */
export const EmployeesTab = ({ now = clock }: { readonly now?: () => number }) => {
  /** Whether there is room for a card beside a table. */
  const wide = useMedia('(width >= 1100px)');
  const people = useDocs('person');
  const activity = usePeopleActivity(people);
  const moment = useNow(undefined, now);
  const [adding, setAdding] = useState(false);
  const { shown: secrets, add: issued, putAway } = useIssuedSecrets();
  const { licence, openSessions } = useOwnLicence();
  const card = useOpenCard();
  const open = people.find(({ id }) => id === card.openId) ?? null;
  const withAccess = people.filter(({ isActive }) => isActive).length;

  const banners = (of: readonly IssuedSecret[]): ReactNode =>
    of.map((secret) => <SecretBanner key={secret.userId} secret={secret} onClose={() => putAway(secret.userId)} />);

  const created = ({ user, authCode, temporaryPassword }: CreatedEmployee): void => {
    setAdding(false);
    issued({
      userId: user.id,
      name: user.name,
      authCode,
      temporaryPassword: temporaryPassword ?? null,
      validUntil: new Date(now() + temporaryPasswordMs).toISOString(),
    });
  };
  const panel = useMovingPart(
    open && (
      <EmployeePanel
        key={open.id}
        person={open}
        signedInAt={activity.of(open.id)?.signedInAt ?? null}
        beside={wide}
        onClose={card.leaveCard}
        now={now}
        onIssued={issued}
        onDirtyChange={card.setDirty}
      />
    ),
  );

  return (
    <div className="z-employees">
      <div className="z-settings-body">
        <EmployeeList
          people={people}
          activity={activity}
          now={moment}
          openId={card.openId}
          onToggle={card.toggle}
          onAdd={() => setAdding(true)}
        />
        {banners(secrets)}
      </div>
      {open !== null && wide && (
        <aside className="z-employee-side" aria-label={`Сотрудник: ${open.name}`}>
          {panel.place}
        </aside>
      )}
      {open !== null && !wide && (
        <Dialog title="Сотрудник" dirty={card.dirty} closeOnOutsideClick={!card.dirty} onClose={card.close}>
          {panel.place}
          {banners(secrets.filter(({ userId }) => userId === open.id))}
        </Dialog>
      )}
      {panel.part}
      {card.question}
      {adding && <EmployeeDialog onClose={() => setAdding(false)} onCreated={created} />}
      <SlotFill name="status-left">
        <span>
          Людей <b>{formatNumber(people.length)}</b>, с доступом <b>{formatNumber(withAccess)}</b>
          {licence !== null && openSessions !== null && (
            <>
              , сессии <b>{seatsTaken(openSessions, licence.maxConcurrentSessions)}</b>
            </>
          )}
        </span>
      </SlotFill>
    </div>
  );
};
