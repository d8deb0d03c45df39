import { useState } from 'react';
import { dayOf, showDateWithYear } from '@zakup/domain/calendar';
import { formatNumber } from '@zakup/domain/russian';
import { useApi } from '../../shared/api/api-context.tsx';
import { problemText } from '../../shared/api/api-problem.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Chip } from '../../shared/ui/chip.tsx';
import { CopyButton } from '../../shared/ui/copy-button.tsx';
import { ConfirmDialog } from '../../shared/ui/dialog.tsx';
import { Meter } from '../../shared/ui/meter.tsx';
import { Panel } from '../../shared/ui/page.tsx';
import type { AdminLicence } from './admin-api.tsx';
import { type AdminHealth, clockText, healthLines, rebuildView } from './admin-health.ts';
import { LagCard } from './lag-card.tsx';
import { lagHour } from './lag-hour.ts';
import { BackupPanel } from './backup-panel.tsx';
import { SignInsPanel } from './sign-ins-panel.tsx';

const Rebuild = ({ health, onChanged }: { readonly health: AdminHealth; readonly onChanged: () => void }) => {
  const api = useApi();
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const { text, percent, idle } = rebuildView(health);
  const start = async (): Promise<void> => {
    setBusy(true);
    setProblem(null);
    try {
      await api.send('POST', '/api/admin/rebuild', {});
      onChanged();
    } catch (thrown) {
      setProblem(problemText(thrown));
    }
    setBusy(false);
    setAsking(false);
  };
  return (
    <Panel title="Сборка данных заново">
      <div className="z-admin-rebuild">
        <p>{text}</p>
        {percent !== null && <Meter value={percent} tone="accent" label="Сборка данных заново" text={`${percent} %`} />}
        {problem !== null && (
          <p className="z-alert" role="alert">
            {problem}
          </p>
        )}
        {idle && (
          <div>
            <Button disabled={busy} onClick={() => setAsking(true)}>
              Собрать заново
            </Button>
          </div>
        )}
      </div>
      {asking && (
        <ConfirmDialog
          title="Собрать модели чтения заново?"
          confirm="Собрать"
          busy={busy}
          onCancel={() => setAsking(false)}
          onConfirm={() => {
            start().catch(() => undefined);
          }}
        >
          Новые модели собираются из журнала рядом с прежними. Команды работают как обычно и ничего не заметят.
        </ConfirmDialog>
      )}
    </Panel>
  );
};

const Parts = ({ health, updatedAt }: { readonly health: AdminHealth; readonly updatedAt: number }) => {
  const version = health.services.find((service) => service.version !== undefined)?.version;
  return (
    <Panel
      title="Здоровье"
      aside={
        <span className="z-secondary">
          обновлено {clockText(updatedAt)}
          {version !== undefined && `, версия ${version}`}
        </span>
      }
      className="z-panel-flush"
    >
      <ul className="z-admin-lines z-admin-parts" aria-label="Здоровье">
        {healthLines(health).map(({ name, note, figure, tone, state }) => (
          <li key={name}>
            <b>{name}</b>
            <span className="z-secondary">{note}</span>
            <span className="z-secondary">{figure}</span>
            <Chip tone={tone} dot>
              {state}
            </Chip>
          </li>
        ))}
      </ul>
    </Panel>
  );
};

/** How the system is now, part by part, and how far behind readers were in the last hour. `updatedAt`: UTC milliseconds. */
export const HealthNow = ({ health, updatedAt }: { readonly health: AdminHealth; readonly updatedAt: number }) => {
  const hour = lagHour(health.projection, updatedAt);
  return (
    <div className="z-admin-now">
      <Parts health={health} updatedAt={updatedAt} />
      {hour !== null && <LagCard hour={hour} />}
    </div>
  );
};

/** What is looked after: sign-ins, backups, a rebuild of the models, what stands still, and the keys that sign the history. */
export const HealthPanels = ({
  health,
  licences,
  onChanged,
}: {
  readonly health: AdminHealth;
  readonly licences: readonly AdminLicence[];
  readonly onChanged: () => void;
}) => {
  const teamOf = (id: string): string => {
    const licence = licences.find((one) => one.id === id);
    return licence === undefined ? id : licence.teamName || licence.ownerName;
  };
  return (
    <div className="z-admin-health">
      <SignInsPanel />
      <BackupPanel backup={health.backup} onChanged={onChanged} />
      <Rebuild health={health} onChanged={onChanged} />
      {health.parked.length > 0 && (
        <Panel title="Остановленные лицензии" className="z-panel-flush">
          <ul className="z-admin-lines" aria-label="Остановленные лицензии">
            {health.parked.map(({ licenceId, position, reason }) => (
              <li key={licenceId}>
                <b>{teamOf(licenceId)}</b>
                <span className="z-bad">{reason}</span>
                <span className="z-secondary">позиция {formatNumber(position)}</span>
              </li>
            ))}
          </ul>
        </Panel>
      )}
      <Panel title="Ключи подписи истории" className="z-panel-flush">
        {health.sealKeys.length === 0 ? (
          <p className="z-admin-none">История ещё не подписывалась.</p>
        ) : (
          <ul className="z-admin-lines" aria-label="Ключи подписи истории">
            {health.sealKeys.map(({ fingerprint, since }) => (
              <li key={fingerprint}>
                <span className="z-mono z-admin-fingerprint">{fingerprint}</span>
                <span className="z-secondary">с {showDateWithYear(dayOf(since))}</span>
                <CopyButton small text={fingerprint} what={`отпечаток ${fingerprint.slice(0, 8)}`} />
              </li>
            ))}
          </ul>
        )}
      </Panel>
    </div>
  );
};
