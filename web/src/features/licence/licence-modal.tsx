import type { LicenseWire } from '@zakup/contracts/wire-entities';
import { CloseLicence, KeepLicenceOpen } from '../../shared/licence/close-licence.tsx';
import { LicenceFacts } from '../../shared/licence/licence-facts.tsx';
import { closingOf, dateText } from '../../shared/licence/licence-labels.ts';
import { Renewal } from '../../shared/licence/renewal.tsx';
import { useOwnLicence } from '../../shared/licence/use-own-licence.ts';
import { NotePlace } from '../../shared/load/note.tsx';
import { OlderData } from '../../shared/load/query-failure.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { ErrorState, Skeleton } from '../../shared/ui/states.tsx';
import { useNow } from '../../shared/ui/use-now.ts';

const Notices = ({ licence, now }: { readonly licence: LicenseWire; readonly now: number }) => {
  const closing = closingOf(licence, now);
  return (
    <>
      {licence.status === 'grace_period' && (
        <p className="z-licence-notice">
          Срок лицензии закончился {dateText(licence.expiresAt)}. Идёт льготный период
          {licence.gracePeriodExpiresAt !== null && ` до ${dateText(licence.gracePeriodExpiresAt)}`}: всё работает,
          потом останется только чтение.
        </p>
      )}
      {closing === 'announced' && licence.closesAt !== null && (
        <p className="z-licence-notice">Владелец закрывает лицензию: доступ закончится {dateText(licence.closesAt)}.</p>
      )}
      {closing === 'over' && licence.closesAt !== null && (
        <p className="z-licence-notice">
          Лицензия закрыта владельцем {dateText(licence.closesAt)}. Данные можно смотреть и выгрузить; открыть её снова
          может администратор площадки.
        </p>
      )}
    </>
  );
};

/** What the team is licensed for: as this browser knows it at once, then as the server says. */
export const LicenceModal = ({ onClose }: { readonly onClose: () => void }) => {
  const { licence, openSessions, dataAt, error, refetch } = useOwnLicence();
  const now = useNow();
  return (
    <Dialog
      title="Лицензия"
      width={520}
      onClose={onClose}
      footer={
        <>
          {licence !== null && (
            <>
              <CloseLicence licence={licence} />
              <KeepLicenceOpen licence={licence} now={now} />
              <Renewal licence={licence} now={now} />
            </>
          )}
          <Button onClick={onClose}>Готово</Button>
        </>
      }
    >
      <div className="z-licence-body">
        {licence !== null && (
          <>
            <Notices licence={licence} now={now} />
            <LicenceFacts licence={licence} openSessions={openSessions} now={now} />
          </>
        )}
        {licence === null && !error && <Skeleton rows={8} height={30} />}
        {error !== null && licence === null && (
          <ErrorState
            error={error}
            onRetry={() => {
              refetch().catch(() => undefined);
            }}
          />
        )}
        {licence !== null && (
          <NotePlace>
            {error !== null && (
              <OlderData
                error={error}
                dataAt={dataAt}
                onRetry={() => {
                  refetch().catch(() => undefined);
                }}
              />
            )}
          </NotePlace>
        )}
      </div>
    </Dialog>
  );
};
