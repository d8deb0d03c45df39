import { useState } from 'react';
import { dayOf, showDateWithYear } from '@zakup/domain/calendar';
import { useApi } from '../../shared/api/api-context.tsx';
import { problemText } from '../../shared/api/api-problem.ts';
import { ownerApart, seatsTaken } from '../../shared/licence/licence-labels.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Chip } from '../../shared/ui/chip.tsx';
import { CopyButton } from '../../shared/ui/copy-button.tsx';
import { useNow } from '../../shared/ui/use-now.ts';
import { type AdminLicence } from './admin-api.tsx';
import { countdown, licenceState, licenceTerm } from './licence-labels.ts';

/** What stands after the last dash: enough to tell one key from another, while the key itself is only copied. */
const masked = (key: string): string => `••••${key.slice(key.lastIndexOf('-'))}`;

/** What is asked about a licence, or about a new one. */
export type Asked =
  | { readonly kind: 'issue' }
  | { readonly kind: 'renew' | 'suspend' | 'second-factor'; readonly licence: AdminLicence }
  | { readonly kind: 'code'; readonly licence: AdminLicence; readonly code: string };

const tick = 1_000;

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
        <table className="z-table">
          <thead>
            <tr>
              <th scope="col">Команда, владелец</th>
              <th scope="col">Ключ</th>
              <th scope="col">Состояние</th>
              <th scope="col">Действует до</th>
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
                  <th scope="row" className="z-admin-team" title={`${licence.teamName}, ${licence.ownerName}`}>
                    {licence.teamName || licence.ownerName}
                    <small className="z-secondary">{licence.ownerName}</small>
                  </th>
                  <td className="z-admin-key">
                    <span className="z-mono">{masked(licence.licenseKey)}</span>
                  </td>
                  <td>
                    <Chip tone={state.tone} dot>
                      {state.word}
                    </Chip>
                  </td>
                  <td>
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
                  </td>
                  <td className="z-right">
                    {seatsTaken(licence.openSessions ?? null, licence.maxConcurrentSessions)}
                    <small className="z-admin-apart z-secondary">{ownerApart}</small>
                  </td>
                  <td className="z-admin-actions">
                    <CopyButton text={licence.licenseKey} label="Ключ" what={`ключ ${licence.teamName}`} small />
                    <Button small onClick={() => freshCode(licence)} aria-label={`Код: ${licence.teamName}`}>
                      Код
                    </Button>
                    {licence.ownerSecondFactor === true && (
                      <Button
                        small
                        onClick={() => onAsk({ kind: 'second-factor', licence })}
                        aria-label={`Снять второй фактор: ${licence.teamName}`}
                      >
                        Второй фактор
                      </Button>
                    )}
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
