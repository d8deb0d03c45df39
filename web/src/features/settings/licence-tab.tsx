import type { LicenseWire } from '@zakup/contracts/entities';
import { dayOf, showDateWithYear } from '@zakup/domain/calendar';
import { licenceStatusLabels } from '@zakup/domain/topics';
import { useState } from 'react';
import { useApi } from '../../shared/api/api-context.tsx';
import { problemText } from '../../shared/api/api-problem.ts';
import { useDocs } from '../../shared/replica/replica-context.tsx';
import { toasts } from '../../shared/toasts/toasts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Chip, type Tone } from '../../shared/ui/chip.tsx';
import { CopyButton } from '../../shared/ui/copy-button.tsx';
import { Panel } from '../../shared/ui/page.tsx';
import { Skeleton } from '../../shared/ui/states.tsx';
import { OwnSessions } from '../../shared/session/own-sessions.tsx';
import { useRights } from '../../shared/session/use-rights.ts';
import { may } from '@zakup/domain/permissions';

const tones: Readonly<Record<LicenseWire['status'], Tone>> = {
  active: 'good',
  grace_period: 'mid',
  expired: 'bad',
  suspended: 'bad',
};

const featureLabels: Readonly<Record<string, string>> = {
  analytics: 'Аналитика',
  campaigns: 'Кампании',
  contractors: 'Контрагенты',
  creatives: 'Креативы',
  placements: 'Размещения',
  reports: 'Отчёты и журнал',
  settings: 'Настройки',
};

/** The key, of which only the owner may see more than the end. */
const LicenceKey = ({ masked, mayReveal }: { readonly masked: string; readonly mayReveal: boolean }) => {
  const api = useApi();
  const [key, setKey] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const reveal = (): void => {
    setBusy(true);
    api
      .get<{ readonly license: LicenseWire }>('/api/license', { query: { reveal: true } })
      .then(({ data }) => setKey(data.license.licenseKey))
      .catch((thrown: unknown) => toasts.error(problemText(thrown)))
      .finally(() => setBusy(false));
  };
  return (
    <span className="z-access-code">
      <span className="z-mono">{key ?? masked}</span>
      {mayReveal && key === null && (
        <Button small disabled={busy} onClick={reveal}>
          Показать
        </Button>
      )}
      {key !== null && (
        <>
          <Button small onClick={() => setKey(null)}>
            Скрыть
          </Button>
          <CopyButton small text={key} what="лицензионный ключ" />
        </>
      )}
    </span>
  );
};

/** What the team is licensed for, and where one is signed in. */
export const LicenceTab = () => {
  const { actor } = useRights();
  const licence = useDocs('license')[0];
  return (
    <div className="z-settings-body z-settings-columns">
      <Panel title="Лицензия">
        {licence === undefined ? (
          <Skeleton rows={6} height={30} />
        ) : (
          <dl className="z-settings-facts">
            <dt>Состояние</dt>
            <dd>
              <Chip tone={tones[licence.status]} dot>
                {licenceStatusLabels[licence.status]}
              </Chip>
            </dd>
            <dt>Ключ</dt>
            <dd>
              <LicenceKey masked={licence.licenseKey} mayReveal={may(actor, 'licence.reveal').allowed} />
            </dd>
            <dt>Команда</dt>
            <dd>{licence.teamName === '' ? '—' : licence.teamName}</dd>
            <dt>Владелец</dt>
            <dd>{[licence.ownerName, licence.ownerTelegram].filter(Boolean).join(', ')}</dd>
            <dt>Действует до</dt>
            <dd>{showDateWithYear(dayOf(licence.expiresAt))}</dd>
            {licence.status === 'grace_period' && licence.gracePeriodExpiresAt !== null && (
              <>
                <dt>Льготный период</dt>
                <dd>до {showDateWithYear(dayOf(licence.gracePeriodExpiresAt))}</dd>
              </>
            )}
            <dt>Одновременных сессий</dt>
            <dd>{licence.maxConcurrentSessions}</dd>
            <dt>Разделы</dt>
            <dd>{licence.features.map((feature) => featureLabels[feature] ?? feature).join(', ')}</dd>
          </dl>
        )}
      </Panel>
      <Panel title="Мои сессии">
        <OwnSessions />
      </Panel>
    </div>
  );
};
