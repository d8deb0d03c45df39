import { useState } from 'react';
import { dayOf, showDateWithYear } from '@zakup/domain/calendar';
import { useApi } from '../../shared/api/api-context.tsx';
import { problemText } from '../../shared/api/api-problem.ts';
import { ownerApart, seatsTaken } from '../../shared/licence/licence-labels.ts';
import { type DataColumn, DataTable } from '../../shared/table/data-table.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Chip } from '../../shared/ui/chip.tsx';
import { CopyButton } from '../../shared/ui/copy-button.tsx';
import { useNow } from '../../shared/ui/use-now.ts';
import { type AdminLicence } from './admin-api.tsx';
import { activityText, countdown, licenceState, licenceTerm } from './licence-labels.ts';

/** What stands after the last dash: enough to tell one key from another, while the key itself is only copied. */
const masked = (key: string): string => `••••${key.slice(key.lastIndexOf('-'))}`;

/** What is asked about a licence, or about a new one. */
export type Asked =
  | { readonly kind: 'issue' }
  | { readonly kind: 'renew' | 'suspend' | 'second-factor'; readonly licence: AdminLicence }
  | { readonly kind: 'code'; readonly licence: AdminLicence; readonly code: string };

const tick = 1_000;

interface Acts {
  readonly freshCode: (licence: AdminLicence) => void;
  readonly resume: (licence: AdminLicence) => void;
  readonly onAsk: (asked: Asked) => void;
}

const Actions = ({ licence, acts }: { readonly licence: AdminLicence; readonly acts: Acts }) => {
  const { freshCode, resume, onAsk } = acts;
  const act = (text: string, label: string, onClick: () => void) => (
    <Button small onClick={onClick} aria-label={`${label}: ${licence.teamName}`}>
      {text}
    </Button>
  );
  return (
    <>
      <CopyButton text={licence.licenseKey} label="Ключ" what={`ключ ${licence.teamName}`} small />
      {act('Код', 'Код', () => freshCode(licence))}
      {licence.ownerSecondFactor === true &&
        act('Второй фактор', 'Снять второй фактор', () => onAsk({ kind: 'second-factor', licence }))}
      {act('Продлить', 'Продлить', () => onAsk({ kind: 'renew', licence }))}
      {licence.status === 'suspended'
        ? act('Возобновить', 'Возобновить', () => resume(licence))
        : act('Приостановить', 'Приостановить', () => onAsk({ kind: 'suspend', licence }))}
    </>
  );
};

const Term = ({ licence, now }: { readonly licence: AdminLicence; readonly now: number }) => {
  const code = licence.pendingCode;
  return (
    <>
      {showDateWithYear(dayOf(licence.expiresAt))}
      <small className="z-admin-apart z-secondary">
        {code && Date.parse(code.expiresAt) > now ? (
          <>
            код <b className="z-mono">{code.code}</b>, ещё {countdown(code.expiresAt, now)}
          </>
        ) : (
          licenceTerm(licence, now)
        )}
      </small>
    </>
  );
};

const columnsAt = (now: number, acts: Acts): readonly DataColumn<AdminLicence>[] => [
  {
    id: 'team',
    header: 'Команда, владелец',
    isName: true,
    className: 'z-stacked-name',
    cellClass: 'z-admin-team',
    cellTitle: ({ teamName, ownerName }) => `${teamName}, ${ownerName}`,
    cell: ({ teamName, ownerName }) => (
      <>
        {teamName || ownerName}
        <small className="z-secondary">{ownerName}</small>
      </>
    ),
  },
  {
    id: 'key',
    header: 'Ключ',
    className: 'z-admin-key',
    cell: ({ licenseKey }) => <span className="z-mono">{masked(licenseKey)}</span>,
  },
  {
    id: 'state',
    header: 'Состояние',
    cell: (licence) => {
      const { tone, word } = licenceState(licence, now);
      return (
        <>
          <Chip tone={tone} dot>
            {word}
          </Chip>
          <small className="z-admin-active z-secondary">активность: {activityText(licence, now)}</small>
        </>
      );
    },
  },
  { id: 'until', header: 'Действует до', cell: (licence) => <Term licence={licence} now={now} /> },
  {
    id: 'sessions',
    header: 'Сессии',
    align: 'right',
    cell: ({ openSessions, maxConcurrentSessions }) => (
      <>
        {seatsTaken(openSessions ?? null, maxConcurrentSessions)}
        <small className="z-admin-apart z-secondary">{ownerApart}</small>
      </>
    ),
  },
  {
    id: 'activity',
    header: 'Активность',
    className: 'z-admin-activity',
    cell: (licence) => activityText(licence, now),
  },
  {
    id: 'actions',
    header: <span className="z-visually-hidden">Действия</span>,
    cellClass: 'z-admin-actions',
    cell: (licence) => <Actions licence={licence} acts={acts} />,
  },
];

/** Licences of all teams, with what can be done to each. */
export const Licences = ({
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
        <DataTable
          className="z-table z-table-stacked z-admin-licences"
          columns={columnsAt(now, { freshCode, resume, onAsk })}
          rows={licences}
          rowId={({ id }) => id}
        />
      </div>
    </>
  );
};
