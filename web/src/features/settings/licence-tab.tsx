import { CloseLicence, KeepLicenceOpen } from '../../shared/licence/close-licence.tsx';
import { LicenceFacts } from '../../shared/licence/licence-facts.tsx';
import { Renewal } from '../../shared/licence/renewal.tsx';
import { useOwnLicence } from '../../shared/licence/use-own-licence.ts';
import { OwnSessions } from '../../shared/session/own-sessions.tsx';
import { Panel } from '../../shared/ui/page.tsx';
import { ErrorState, Skeleton } from '../../shared/ui/states.tsx';
import { useNow } from '../../shared/ui/use-now.ts';

/** What the team is licensed for, and where one is signed in. */
export const LicenceTab = () => {
  const { licence, openSessions, error, refetch } = useOwnLicence();
  const now = useNow();
  return (
    <div className="z-settings-body z-settings-columns">
      <Panel title="Лицензия">
        {licence === null ? (
          error === null ? (
            <Skeleton rows={8} height={30} />
          ) : (
            <ErrorState error={error} onRetry={() => void refetch()} />
          )
        ) : (
          <div className="z-licence-body">
            <LicenceFacts licence={licence} openSessions={openSessions} now={now} />
            <div className="z-licence-actions">
              <Renewal licence={licence} now={now} />
              <KeepLicenceOpen licence={licence} now={now} />
              <CloseLicence licence={licence} />
            </div>
          </div>
        )}
      </Panel>
      <Panel title="Мои сессии">
        <OwnSessions />
      </Panel>
    </div>
  );
};
