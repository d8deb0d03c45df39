import { formatNumber } from '@zakup/domain/russian';
import { LicenceFacts } from '../../shared/licence/licence-facts.tsx';
import { daysUntil, leftText, licenceStanding, ownerApart } from '../../shared/licence/licence-labels.ts';
import { Renewal } from '../../shared/licence/renewal.tsx';
import { useOwnLicence } from '../../shared/licence/use-own-licence.ts';
import { OlderData } from '../../shared/load/query-failure.tsx';
import { useDocs } from '../../shared/replica/replica-context.tsx';
import { OwnSessions } from '../../shared/session/own-sessions.tsx';
import { Metric, MetricStrip, PageHeader, Panel } from '../../shared/ui/page.tsx';
import { ErrorState, Skeleton } from '../../shared/ui/states.tsx';
import { useNow } from '../../shared/ui/use-now.ts';
import './licence-admin.css';

/** The own licence for whom the operator named: how it stands, its seats, and where one is signed in. */
export const LicenceAdminPage = () => {
  const { licence, openSessions, dataAt, error, refetch } = useOwnLicence();
  const retry = (): void => {
    refetch().catch(() => undefined);
  };
  const people = useDocs('user').filter((one) => one.isActive).length;
  const now = useNow();
  if (licence === null)
    return (
      <div className="z-page">
        <PageHeader title="Админ-панель" />
        {error === null ? <Skeleton rows={8} height={36} /> : <ErrorState error={error} onRetry={retry} />}
      </div>
    );
  const { word, tone } = licenceStanding(licence, now);
  const left = daysUntil(licence.expiresAt, now);
  const seats = licence.maxConcurrentSessions;
  return (
    <div className="z-page">
      <PageHeader title="Админ-панель" actions={<Renewal licence={licence} now={now} />} />
      {error !== null && <OlderData of="Лицензия" error={error} dataAt={dataAt} onRetry={retry} />}
      <MetricStrip label="Лицензия">
        <Metric
          label="Состояние"
          value={word}
          tone={tone === 'bad' || tone === 'mid' ? tone : undefined}
          note={left < 0 ? 'срок закончился' : leftText(left)}
        />
        <Metric
          label="Места"
          value={`${openSessions === null ? '—' : formatNumber(openSessions)} из ${formatNumber(seats)}`}
          note={ownerApart}
          tone={openSessions !== null && openSessions >= seats ? 'mid' : undefined}
        />
        <Metric label="Сотрудники" value={formatNumber(people)} note="с доступом" />
      </MetricStrip>
      <div className="z-licence-admin">
        <Panel title="Лицензия">
          <LicenceFacts licence={licence} openSessions={openSessions} now={now} />
        </Panel>
        <Panel title="Мои сессии">
          <OwnSessions />
        </Panel>
      </div>
    </div>
  );
};
