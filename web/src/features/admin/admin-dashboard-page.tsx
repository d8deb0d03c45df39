import { ToastHost } from '../../shared/toasts/toast-host.tsx';
import { LogOut, Moon, Flash, Plus, Shield } from '@blueprintjs/icons';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Navigate } from 'react-router-dom';
import { showTime } from '@zakup/domain/calendar';
import { formatNumber, plural } from '@zakup/domain/russian';
import { useApi } from '../../shared/api/api-context.tsx';
import { ApiProblem } from '../../shared/api/api-problem.ts';
import { bytesText } from '../../shared/export/bytes-text.ts';
import { QueryFailure } from '../../shared/load/query-failure.tsx';
import { useTheme } from '../../shared/theme/theme.ts';
import { Button } from '../../shared/ui/button.tsx';
import { SearchField } from '../../shared/ui/list-bar.tsx';
import { Logo } from '../../shared/ui/logo.tsx';
import { Metric, MetricStrip } from '../../shared/ui/page.tsx';
import { SlotOutlet, SlotProvider } from '../../shared/ui/slots.tsx';
import { EmptyState, Skeleton } from '../../shared/ui/states.tsx';
import { useNow } from '../../shared/ui/use-now.ts';
import { useTitle } from '../../shared/moment/use-title.ts';
import { AdminApi, type AdminLicence, adminTokens, signOutAdmin } from './admin-api.tsx';
import { AdminSecondFactor, SecondFactorAsked } from './admin-second-factor.tsx';
import type { AdminHealth } from './admin-health.ts';
import { HealthNow, HealthPanels } from './health-panels.tsx';
import { IssueDialog } from './issue-dialog.tsx';
import { AskDialog, CodeDialog, SecondFactorDialog } from './licence-dialogs.tsx';
import { eventsNote, lagHour, lagWarning, millisecondsText } from './lag-hour.ts';
import { licenceState } from './licence-labels.ts';
import { useGo } from '../../shared/ui/use-go.ts';
import { type Asked, Licences } from './licence-table.tsx';
import './admin.css';

const tick = 1_000;

const ownersApart = 'владельцы отдельно';

/** Events behind now where they are counted, else how long; below, the time and what is usual. */
const LagMetric = ({ health, now }: { readonly health: AdminHealth; readonly now: number }) => {
  const { lagEvents, lagMilliseconds } = health.projection;
  const lag = lagMilliseconds ?? null;
  const usual = lagHour(health.projection, now)?.usual ?? null;
  const time = lag === null ? null : millisecondsText(lag);
  const usually = usual === null ? null : `обычно до ${millisecondsText(usual)}`;
  const note = [lagEvents === undefined ? null : time, usually].filter((part) => part !== null).join(', ');
  return (
    <Metric
      label="Отставание чтения"
      value={
        lagEvents === undefined ? (
          (time ?? '—')
        ) : (
          <>
            {formatNumber(lagEvents)} <small>{plural(lagEvents, 'событие', 'события', 'событий')}</small>
          </>
        )
      }
      note={lag !== null && lag > lagWarning ? <span className="z-mid">◆ {note}</span> : note}
    />
  );
};

const HealthStrip = ({
  licences,
  health,
}: {
  readonly licences: readonly AdminLicence[];
  readonly health: AdminHealth | undefined;
}) => {
  const now = useNow(tick);
  const states = licences.map((licence) => licenceState(licence, now).word);
  const active = states.filter((word) => word === 'Активна').length;
  const ending = states.filter((word) => word === 'Истекает').length;
  const open = licences.every((licence) => licence.openSessions !== undefined)
    ? licences.reduce((sum, licence) => sum + (licence.openSessions ?? 0), 0)
    : null;
  const seats = licences.reduce((sum, licence) => sum + licence.maxConcurrentSessions, 0);
  const check = health?.selfCheck ?? null;
  const hour = health?.projection.lastHour;
  return (
    <MetricStrip label="Состояние системы">
      <Metric
        label="Лицензии"
        value={formatNumber(licences.length)}
        note={`активны ${formatNumber(active)}, истекают ${formatNumber(ending)}`}
      />
      {open !== null && (
        <Metric label="Сессии" value={`${formatNumber(open)} из ${formatNumber(seats)}`} note={ownersApart} />
      )}
      {health !== undefined && (
        <>
          {hour !== undefined && (
            <Metric label="Событий за час" value={formatNumber(hour.events)} note={eventsNote(hour)} />
          )}
          <LagMetric health={health} now={now} />
          {health.freeBytes !== undefined && (
            <Metric label="Свободно на диске" value={bytesText(health.freeBytes)} note="порог 500 МБ" />
          )}
        </>
      )}
      {check !== null && (
        <Metric
          label="Самопроверка"
          value={showTime(check.at)}
          note={check.differences === 0 ? <span className="z-good">✓ расхождений нет</span> : '▲ есть расхождения'}
          tone={check.differences === 0 ? undefined : 'bad'}
        />
      )}
    </MetricStrip>
  );
};

const Dashboard = () => {
  const api = useApi();
  const queries = useQueryClient();
  const [asked, setAsked] = useState<Asked | null>(null);
  const [search, setSearch] = useState('');
  const licences = useQuery({
    queryKey: ['admin', 'licences'],
    queryFn: async ({ signal }) =>
      (await api.get<{ licenses: readonly AdminLicence[] }>('/api/admin/licenses', { signal })).data.licenses,
    refetchInterval: 5_000,
  });
  const { data } = licences;
  const isSignedOut = licences.error instanceof ApiProblem && licences.error.status === 401;
  const state = useQuery({
    queryKey: ['admin', 'health'],
    queryFn: async ({ signal }) => (await api.get<AdminHealth>('/api/admin/health', { signal })).data,
    refetchInterval: 5_000,
  });
  const health = state.data;
  const reload = (): void => {
    queries.invalidateQueries({ queryKey: ['admin'] }).catch(() => undefined);
  };
  const wanted = search.trim().toLowerCase();
  const found = data?.filter((licence) =>
    [licence.teamName, licence.ownerName, licence.licenseKey].some((text) => text.toLowerCase().includes(wanted)),
  );
  // Together, as either would push the other down.
  if ((!data && !licences.error) || state.isPending)
    return (
      <main className="z-page z-admin-main">
        <h1 className="z-visually-hidden">Лицензии</h1>
        <Skeleton rows={6} height={38} />
      </main>
    );
  return (
    <main className="z-page z-admin-main">
      {data && <HealthStrip licences={data} health={health} />}
      <div className="z-admin-bar">
        <h1>Лицензии</h1>
        <SearchField label="Найти лицензию" placeholder="Команда, владелец, ключ" value={search} onChange={setSearch} />
        <Button look="primary" icon={<Plus size={14} />} onClick={() => setAsked({ kind: 'issue' })}>
          Выдать лицензию
        </Button>
      </div>
      {!isSignedOut && <QueryFailure query={licences} />}
      {found && found.length > 0 && <Licences licences={found} onAsk={setAsked} onChanged={reload} />}
      {found?.length === 0 &&
        (wanted === '' ? (
          <EmptyState title="Лицензий ещё нет">Выдайте первую: владелец активирует её ключом и кодом.</EmptyState>
        ) : (
          <EmptyState
            title="Ничего не найдено"
            actions={<Button onClick={() => setSearch('')}>Сбросить поиск</Button>}
          />
        ))}
      {health !== undefined && <HealthNow health={health} updatedAt={state.dataUpdatedAt} />}
      {health !== undefined && <HealthPanels health={health} licences={data ?? []} onChanged={reload} />}
      {asked?.kind === 'issue' && <IssueDialog onClose={() => setAsked(null)} onIssued={reload} />}
      {(asked?.kind === 'renew' || asked?.kind === 'suspend') && (
        <AskDialog licence={asked.licence} action={asked.kind} onClose={() => setAsked(null)} onDone={reload} />
      )}
      {asked?.kind === 'second-factor' && (
        <SecondFactorDialog licence={asked.licence} onClose={() => setAsked(null)} onDone={reload} />
      )}
      {asked?.kind === 'code' && (
        <CodeDialog licence={asked.licence} code={asked.code} onClose={() => setAsked(null)} />
      )}
      <SlotOutlet name="notes" className="z-notes" />
    </main>
  );
};

/** Licences of all teams and the health of the system; no team's data. */
export const AdminDashboardPage = () => {
  useTitle('Администрирование');
  const go = useGo();
  const { theme, toggle } = useTheme();
  const [secondFactorOpen, setSecondFactorOpen] = useState(false);
  if (adminTokens.read() === null) return <Navigate to="/admin" replace />;
  return (
    <AdminApi>
      <ToastHost />
      <SlotProvider>
        <header className="z-admin-top">
          <Logo size={20} quiet />
          <b>Администрирование</b>
          <span className="z-chip z-chip-outline">без доступа к данным команд</span>
          <Button
            look="plain"
            icon={<Shield size={14} />}
            aria-label="Второй фактор"
            onClick={() => setSecondFactorOpen(true)}
          >
            <span className="z-admin-roomy">Второй фактор</span>
          </Button>
          <Button
            look="plain"
            icon={theme === 'dark' ? <Flash size={15} /> : <Moon size={15} />}
            aria-label={theme === 'dark' ? 'Светлая тема' : 'Тёмная тема'}
            onClick={toggle}
          />
          <Button
            look="plain"
            icon={<LogOut size={14} />}
            aria-label="Выйти"
            onClick={() => {
              signOutAdmin();
              go('/admin', { replace: true });
            }}
          >
            <span className="z-admin-exit">Выйти</span>
          </Button>
        </header>
        <SecondFactorAsked onSetUp={() => setSecondFactorOpen(true)} />
        <Dashboard />
        {secondFactorOpen && <AdminSecondFactor onClose={() => setSecondFactorOpen(false)} />}
      </SlotProvider>
    </AdminApi>
  );
};
