import { useState } from 'react';
import { formatNumber } from '@zakup/domain/russian';
import { useApi } from '../../shared/api/api-context.tsx';
import { problemText } from '../../shared/api/api-problem.ts';
import { showInstant } from '../../shared/day/shown-day.ts';
import { bytesText } from '../../shared/export/bytes-text.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Chip } from '../../shared/ui/chip.tsx';
import { Meter } from '../../shared/ui/meter.tsx';
import { Panel } from '../../shared/ui/page.tsx';
import type { AdminHealth } from './admin-health.ts';

type Backup = AdminHealth['backup'];

const stateOf = ({ ok }: Backup) => {
  if (ok === null) return { tone: 'neutral', text: 'ещё не было' } as const;
  return ok ? ({ tone: 'good', text: 'сделана' } as const) : ({ tone: 'bad', text: 'не сделана' } as const);
};

/** What was last made, and when the next one is due. */
const Standing = ({ backup }: { readonly backup: Backup }) => {
  const { tone, text } = stateOf(backup);
  return (
    <ul className="z-admin-lines z-admin-backups" aria-label="Резервные копии">
      <li>
        <b>Последняя копия</b>
        <span className="z-secondary">
          {backup.last === null ? '' : showInstant(backup.last)}
          {backup.ok === true && backup.position !== null && `, до позиции ${formatNumber(backup.position)}`}
        </span>
        <Chip tone={tone} dot>
          {text}
        </Chip>
      </li>
      {backup.ok === false && backup.position !== null && (
        <li>
          <b>Прошлая целая копия</b>
          <span className="z-secondary">до позиции {formatNumber(backup.position)}</span>
        </li>
      )}
      {backup.next !== null && (
        <li>
          <b>Следующая</b>
          <span className="z-secondary">{showInstant(backup.next)}</span>
        </li>
      )}
      {backup.dir !== null && (
        <li>
          <b>Папка</b>
          <span className="z-mono">{backup.dir}</span>
        </li>
      )}
    </ul>
  );
};

const progressOf = ({
  bytes,
  of,
}: NonNullable<Backup['running']>): { readonly percent: number; readonly text: string } =>
  of === 0
    ? { percent: 0, text: 'Готовлю копию…' }
    : { percent: Math.floor((bytes / of) * 100), text: `Копирую: ${bytesText(bytes)} из ${bytesText(of)}` };

/** Backups of the data folder: the last one, the next one, and one at once. */
export const BackupPanel = ({ backup, onChanged }: { readonly backup: Backup; readonly onChanged: () => void }) => {
  const api = useApi();
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const progress = backup.running === null ? null : progressOf(backup.running);
  const problem = refusal ?? (backup.running === null ? backup.problem : null);
  const start = async (): Promise<void> => {
    setBusy(true);
    setRefusal(null);
    try {
      await api.send('POST', '/api/admin/backup', {});
      onChanged();
    } catch (thrown) {
      setRefusal(problemText(thrown));
    }
    setBusy(false);
  };
  return (
    <Panel title="Резервные копии">
      <Standing backup={backup} />
      <div className="z-admin-rebuild">
        {backup.dir === null && (
          <p>
            Сам сервер копий не делает: задайте папку в BACKUP_DIR. Команда npm run backup делает копию и на работающем
            сервере. Хранилища на серверах копируются отдельно.
          </p>
        )}
        {progress !== null && (
          <>
            <p>{progress.text}</p>
            <Meter value={progress.percent} tone="accent" label="Резервная копия" text={`${progress.percent} %`} />
          </>
        )}
        {problem !== null && (
          <p className="z-alert" role="alert">
            {problem}
          </p>
        )}
        {backup.dir !== null && progress === null && (
          <div>
            <Button
              disabled={busy}
              onClick={() => {
                start().catch(() => undefined);
              }}
            >
              Сделать копию сейчас
            </Button>
          </div>
        )}
      </div>
    </Panel>
  );
};
