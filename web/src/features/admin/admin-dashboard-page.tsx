import { LogOut, Moon, Flash, Plus } from '@blueprintjs/icons';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Navigate } from 'react-router-dom';
import { dayOf, showDateWithYear, showTime } from '@zakup/domain/calendar';
import { formatNumber } from '@zakup/domain/russian';
import { useApi } from '../../shared/api/api-context.tsx';
import { ApiProblem, problemText } from '../../shared/api/api-problem.ts';
import { bytesText } from '../../shared/export/bytes-text.ts';
import { useTheme } from '../../shared/theme/theme.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Chip } from '../../shared/ui/chip.tsx';
import { CopyButton } from '../../shared/ui/copy-button.tsx';
import { Logo } from '../../shared/ui/logo.tsx';
import { Metric, MetricStrip } from '../../shared/ui/page.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../shared/ui/states.tsx';
import { useNow } from '../../shared/ui/use-now.ts';
import { useTitle } from '../../shared/ui/use-title.ts';
import { AdminApi, type AdminLicence, adminTokens } from './admin-api.tsx';
import { type AdminHealth, lagText } from './admin-health.ts';
import { HealthPanels } from './health-panels.tsx';
import { IssueDialog } from './issue-dialog.tsx';
import { AskDialog, CodeDialog } from './licence-dialogs.tsx';
import { countdown, licenceState, licenceTerm } from './licence-words.ts';
import './admin.css';
import { useGo } from '../../shared/ui/use-go.ts';

const masked = (key: string): string => key.replace(/-[A-Z0-9•]{4}(?=-)/gu, '-••••');

type Asked =
  | { readonly kind: 'issue' }
  | { readonly kind: 'renew' | 'suspend'; readonly licence: AdminLicence }
  | { readonly kind: 'code'; readonly licence: AdminLicence; readonly code: string };

const tick = 1_000;

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
  return (
    <MetricStrip label="Состояние системы">
      <Metric label="Лицензии" value={licences.length} note={`активны ${active}, истекает ${ending}`} />
      {open !== null && <Metric label="Сессии" value={open} note={`из ${seats} мест`} />}
      {health !== undefined && (
        <>
          <Metric label="Подключения" value={formatNumber(health.sockets)} note="на связи" />
          {health.events !== undefined && <Metric label="Событий в журнале" value={formatNumber(health.events)} />}
          <Metric
            label="Отставание чтения"
            value={health.projection.lagEvents === undefined ? '—' : formatNumber(health.projection.lagEvents)}
            note={lagText(health)}
          />
          {health.freeBytes !== undefined && (
            <Metric label="Свободно на диске" value={bytesText(health.freeBytes)} note="порог 500 МБ" />
          )}
        </>
      )}
      {check !== null && (
        <Metric
          label="Самопроверка"
          value={showTime(check.at)}
          note={check.differences === 0 ? '✓ расхождений нет' : '▲ есть расхождения'}
          tone={check.differences === 0 ? undefined : 'bad'}
        />
      )}
    </MetricStrip>
  );
};

const Licences = ({
  licences,
  onAsk,
  onChanged,
}: {
  readonly licences: readonly AdminLicence[];
  readonly onAsk: (asked: Asked) => void;
  readonly onChanged: () => void;
}) => {
  const api = useApi();
  const now = useNow(tick);
  const [problem, setProblem] = useState<string | null>(null);

  const act = (work: () => Promise<void>): void => {
    setProblem(null);
    work()
      .then(onChanged)
      .catch((thrown: unknown) => setProblem(problemText(thrown)));
  };
  const freshCode = (licence: AdminLicence): void =>
    act(async () => {
      const { data } = await api.send<{ activationCode: string }>('POST', `/api/admin/licenses/${licence.id}/code`, {});
      onAsk({ kind: 'code', licence, code: data.activationCode });
    });
  const resume = (licence: AdminLicence): void =>
    act(async () => {
      await api.send('POST', `/api/admin/licenses/${licence.id}/resume`, {});
    });

  return (
    <>
      {problem !== null && (
        <p className="z-alert" role="alert">
          {problem}
        </p>
      )}
      <div className="z-panel z-panel-flush z-table-scroll">
        <table className="z-table">
          <thead>
            <tr>
              <th scope="col">Команда</th>
              <th scope="col">Владелец</th>
              <th scope="col">Ключ</th>
              <th scope="col">Состояние</th>
              <th scope="col">Действует до</th>
              <th scope="col">Срок и код</th>
              <th scope="col" className="z-right">
                Сессии
              </th>
              <th scope="col">
                <span className="z-visually-hidden">Действия</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {licences.map((licence) => {
              const state = licenceState(licence, now);
              const code = licence.pendingCode;
              return (
                <tr key={licence.id}>
                  <th scope="row">{licence.teamName || licence.ownerName}</th>
                  <td>{licence.ownerName}</td>
                  <td className="z-admin-key">
                    <span className="z-mono">{masked(licence.licenseKey)}</span>
                  </td>
                  <td>
                    <Chip tone={state.tone} dot>
                      {state.word}
                    </Chip>
                  </td>
                  <td>{showDateWithYear(dayOf(licence.expiresAt))}</td>
                  <td className="z-secondary">
                    {code && Date.parse(code.expiresAt) > now ? (
                      <>
                        код <b className="z-mono">{code.code}</b>, ещё {countdown(code.expiresAt, now)}
                      </>
                    ) : (
                      licenceTerm(licence, now)
                    )}
                  </td>
                  <td className="z-right">
                    {licence.openSessions === undefined
                      ? licence.maxConcurrentSessions
                      : `${licence.openSessions} / ${licence.maxConcurrentSessions}`}
                  </td>
                  <td className="z-admin-actions">
                    <CopyButton text={licence.licenseKey} label="Ключ" what={`ключ ${licence.teamName}`} small />
                    <Button small onClick={() => freshCode(licence)} aria-label={`Код: ${licence.teamName}`}>
                      Код
                    </Button>
                    <Button
                      small
                      onClick={() => onAsk({ kind: 'renew', licence })}
                      aria-label={`Продлить: ${licence.teamName}`}
                    >
                      Продлить
                    </Button>
                    {licence.status === 'suspended' ? (
                      <Button small onClick={() => resume(licence)} aria-label={`Возобновить: ${licence.teamName}`}>
                        Возобновить
                      </Button>
                    ) : (
                      <Button
                        small
                        onClick={() => onAsk({ kind: 'suspend', licence })}
                        aria-label={`Приостановить: ${licence.teamName}`}
                      >
                        Приостановить
                      </Button>
                    )}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </>
  );
};

const Dashboard = () => {
  const api = useApi();
  const queries = useQueryClient();
  const [asked, setAsked] = useState<Asked | null>(null);
  const [search, setSearch] = useState('');
  const { data, error, refetch } = useQuery({
    queryKey: ['admin', 'licences'],
    queryFn: async ({ signal }) =>
      (await api.get<{ licenses: readonly AdminLicence[] }>('/api/admin/licenses', { signal })).data.licenses,
    refetchInterval: 5_000,
  });
  const { data: health } = useQuery({
    queryKey: ['admin', 'health'],
    queryFn: async ({ signal }) => (await api.get<AdminHealth>('/api/admin/health', { signal })).data,
    refetchInterval: 5_000,
  });
  const reload = (): void => {
    queries.invalidateQueries({ queryKey: ['admin'] }).catch(() => undefined);
  };
  const wanted = search.trim().toLowerCase();
  const found = data?.filter((licence) =>
    [licence.teamName, licence.ownerName, licence.licenseKey].some((text) => text.toLowerCase().includes(wanted)),
  );
  return (
    <main className="z-page z-admin-main">
      {data && <HealthStrip licences={data} health={health} />}
      <div className="z-admin-bar">
        <h1>Лицензии</h1>
        <input
          type="search"
          className="z-input"
          aria-label="Найти лицензию"
          placeholder="Команда, владелец, ключ"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        <Button look="primary" icon={<Plus size={14} />} onClick={() => setAsked({ kind: 'issue' })}>
          Выдать лицензию
        </Button>
      </div>
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
      {!data && error && !(error instanceof ApiProblem && error.status === 401) && (
        <ErrorState
          error={error}
          onRetry={() => {
            refetch().catch(() => undefined);
          }}
        />
      )}
      {!data && !error && <Skeleton rows={6} height={38} />}
      {health !== undefined && <HealthPanels health={health} licences={data ?? []} onChanged={reload} />}
      {asked?.kind === 'issue' && <IssueDialog onClose={() => setAsked(null)} onIssued={reload} />}
      {(asked?.kind === 'renew' || asked?.kind === 'suspend') && (
        <AskDialog licence={asked.licence} action={asked.kind} onClose={() => setAsked(null)} onDone={reload} />
      )}
      {asked?.kind === 'code' && (
        <CodeDialog licence={asked.licence} code={asked.code} onClose={() => setAsked(null)} />
      )}
    </main>
  );
};

/** Licences of all teams and the health of the system; no team's data. */
export const AdminDashboardPage = () => {
  useTitle('Администрирование');
  const go = useGo();
  const { theme, toggle } = useTheme();
  if (adminTokens.read() === null) return <Navigate to="/admin" replace />;
  return (
    <AdminApi>
      <div className="z-admin">
        <header className="z-admin-top">
          <Logo size={20} quiet />
          <b>Администрирование</b>
          <span className="z-chip z-chip-outline">без доступа к данным команд</span>
          <Button
            look="plain"
            icon={theme === 'dark' ? <Flash size={15} /> : <Moon size={15} />}
            aria-label={theme === 'dark' ? 'Светлая тема' : 'Тёмная тема'}
            onClick={toggle}
          />
          <Button
            look="plain"
            icon={<LogOut size={14} />}
            onClick={() => {
              adminTokens.clear();
              go('/admin', { replace: true });
            }}
          >
            Выйти
          </Button>
        </header>
        <Dashboard />
      </div>
    </AdminApi>
  );
};
