import { Tab, Tabs } from '@blueprintjs/core';
import { type Action, may } from '@zakup/domain/permissions';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useScope } from '../../shared/live/live-context.tsx';
import { ScopeWaiting } from '../../shared/live/scope-waiting.tsx';
import { useDrawn } from '../../shared/replica/replica-context.tsx';
import '../../shared/theme/blueprint.css';
import { lazyPart } from '../../shared/ui/lazy-part.tsx';
import { PageHeader } from '../../shared/ui/page.tsx';
import { CampaignsTab } from './campaigns-tab.tsx';
import { ChannelsTab } from './channels-tab.tsx';
import { EmployeesTab } from './employees-tab.tsx';
import { ExportTab } from './export-tab.tsx';
import { LicenceTab } from './licence-tab.tsx';
import { ParametersTab } from './parameters-tab.tsx';
import { useRights } from '../../shared/session/use-rights.ts';
import './settings.css';

interface SettingsTab {
  readonly id: string;
  readonly title: string;
  readonly panel: ReactNode;
  /** Without it the tab is not there. */
  readonly right?: Action;
}

const KeysTab = lazyPart(async () => (await import('./keys-tab.tsx')).KeysTab);
const WebhooksTab = lazyPart(async () => (await import('./webhooks/webhooks-tab.tsx')).WebhooksTab);

const tabs: readonly SettingsTab[] = [
  { id: 'channels', title: 'Каналы', panel: <ChannelsTab /> },
  { id: 'campaigns', title: 'Кампании', panel: <CampaignsTab /> },
  { id: 'employees', title: 'Сотрудники', panel: <EmployeesTab /> },
  { id: 'licence', title: 'Лицензия и сессии', panel: <LicenceTab /> },
  { id: 'keys', title: 'Ключи', panel: <KeysTab />, right: 'keys.manage' },
  { id: 'webhooks', title: 'Вебхуки', panel: <WebhooksTab />, right: 'webhooks.manage' },
  { id: 'export', title: 'Импорт/экспорт', panel: <ExportTab /> },
  { id: 'parameters', title: 'Параметры', panel: <ParametersTab /> },
];

/** On a narrow screen the open tab may stand beyond the edge. */
const showOpenTab = (page: HTMLElement | null): void =>
  page?.querySelector('[role="tab"][aria-selected="true"]')?.scrollIntoView({ block: 'nearest', inline: 'center' });

/** Everything the team is set up with; the open tab stands in the address as `?tab=`. */
export const SettingsPage = () => {
  const [search, setSearch] = useSearchParams();
  const { actor } = useRights();
  const status = useScope('workspace');
  const drawn = useDrawn('workspace');
  const hasCampaigns = actor.licence.features.includes('campaigns');
  const open = tabs.filter(
    ({ id, right }) => (id !== 'campaigns' || hasCampaigns) && (right === undefined || may(actor, right).allowed),
  );
  const chosen = open.find(({ id }) => id === search.get('tab')) ?? open[0];
  const waiting = status.kind !== 'refused' && drawn ? null : <ScopeWaiting status={status} rows={6} height={38} />;
  return (
    <div className="z-settings" ref={showOpenTab}>
      <PageHeader title="Настройки" />
      <Tabs
        id="settings"
        className="z-settings-tabs"
        selectedTabId={chosen?.id ?? ''}
        renderActiveTabPanelOnly
        animate={false}
        onChange={(id) => setSearch({ tab: String(id) }, { replace: true })}
      >
        {open.map(({ id, title, panel }) => (
          <Tab key={id} id={id} title={title} panel={<>{waiting ?? panel}</>} />
        ))}
      </Tabs>
    </div>
  );
};
