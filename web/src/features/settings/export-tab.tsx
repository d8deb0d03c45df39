import { LiveRegion } from '../../shared/toasts/live-region.tsx';
import { Download } from '@blueprintjs/icons';
import { may } from '@zakup/domain/permissions';
import { campaignStatusLabels, showCampaignName } from '@zakup/domain/topics';
import { useState } from 'react';
import { inOrder } from '../../shared/campaign/campaign-choice.ts';
import { bytesText } from '../../shared/export/bytes-text.ts';
import { ImportPanel } from '../../shared/import/import-panel.tsx';
import { LatestImports } from '../../shared/import/latest-imports.tsx';
import { useDocs } from '../../shared/replica/replica-context.tsx';
import { useRights } from '../../shared/session/use-rights.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Panel } from '../../shared/ui/page.tsx';
import { SelectField } from '../../shared/ui/select-field.tsx';
import { type DownloadState, useDownload } from './use-download.ts';

const formats = [
  ['xlsx', 'Excel (XLSX)'],
  ['csv', 'Текст с разделителями (CSV)'],
] as const;

const stateText = (state: DownloadState): string => {
  switch (state.kind) {
    case 'idle':
      return '';
    case 'running':
      return state.bytes === 0 ? 'Готовится…' : `Получено ${bytesText(state.bytes)}`;
    case 'done':
      return `Готово: ${bytesText(state.bytes)}`;
    case 'failed':
      return state.reason;
  }
};

/** The button that begins, how far it is, and the way to call it off. */
const DownloadRow = ({
  label,
  download,
  onStart,
}: {
  readonly label: string;
  readonly download: ReturnType<typeof useDownload>;
  readonly onStart: () => void;
}) => {
  const { state, cancel } = download;
  const running = state.kind === 'running';
  return (
    <div className="z-export-row">
      <Button icon={<Download size={14} />} disabled={running} onClick={onStart}>
        {label}
      </Button>
      {running && <Button onClick={cancel}>Отменить</Button>}
      <LiveRegion className={state.kind === 'failed' ? 'z-bad' : 'z-secondary'}>{stateText(state)}</LiveRegion>
    </div>
  );
};

const CampaignExport = () => {
  const campaigns = inOrder(useDocs('campaign'));
  const [picked, setPicked] = useState('');
  const [format, setFormat] = useState<string>(formats[0][0]);
  const download = useDownload();
  const campaign = campaigns.find(({ id }) => id === picked) ?? campaigns[0];
  if (campaign === undefined) return <p className="z-secondary">Кампаний ещё нет: выгружать нечего.</p>;
  return (
    <div className="z-form">
      <p className="z-secondary">
        Все размещения кампании по дате. С фильтрами и в своём порядке их выгружают из таблицы.
      </p>
      <div className="z-form-row z-export-what">
        <SelectField
          label="Кампания"
          value={campaign.id}
          options={campaigns.map(({ id, name, status }) => [
            id,
            `${showCampaignName(name)} (${campaignStatusLabels[status]})`,
          ])}
          onChange={setPicked}
        />
        <SelectField label="Вид файла" value={format} options={formats} onChange={setFormat} />
      </div>
      <DownloadRow
        label="Скачать размещения"
        download={download}
        onStart={() =>
          download.start(
            `/api/campaigns/${encodeURIComponent(campaign.id)}/export`,
            `${showCampaignName(campaign.name)}.${format}`,
            { format },
          )
        }
      />
    </div>
  );
};

const EverythingExport = () => {
  const download = useDownload();
  return (
    <div className="z-form">
      <p className="z-secondary">
        Архив ZIP со всем, что есть у команды: кампании, размещения, контрагенты, креативы, сотрудники и вся история, в
        CSV и NDJSON. Работает и когда лицензия не действует.
      </p>
      <DownloadRow
        label="Скачать все данные"
        download={download}
        onStart={() => download.start('/api/license/export', 'zakup.zip')}
      />
    </div>
  );
};

const CampaignImport = () => {
  const campaigns = inOrder(useDocs('campaign')).filter(({ status }) => status !== 'COMPLETED');
  const [picked, setPicked] = useState('');
  const campaign = campaigns.find(({ id }) => id === picked) ?? campaigns[0];
  if (campaign === undefined) return <p className="z-secondary">Нет кампании, в которую можно добавлять размещения.</p>;
  return (
    <div className="z-form">
      <p className="z-secondary">
        Строки с ID размещения меняют его, остальные добавляются. До записи видно, что будет сделано.
      </p>
      <SelectField
        label="В кампанию"
        value={campaign.id}
        options={campaigns.map(({ id, name, status }) => [
          id,
          `${showCampaignName(name)} (${campaignStatusLabels[status]})`,
        ])}
        onChange={setPicked}
      />
      <ImportPanel key={campaign.id} campaignId={campaign.id} />
    </div>
  );
};

/** What enters and leaves the product as files. */
export const ExportTab = () => {
  const { actor } = useRights();
  return (
    <div className="z-settings-body z-settings-columns">
      {may(actor, 'placement.import').allowed && (
        <div className="z-import-panel">
          <Panel title="Размещения из файла">
            <CampaignImport />
          </Panel>
          <LatestImports />
        </div>
      )}
      {may(actor, 'campaign.export').allowed && (
        <Panel title="Размещения кампании">
          <CampaignExport />
        </Panel>
      )}
      {may(actor, 'licence.export').allowed && (
        <Panel title="Все данные команды">
          <EverythingExport />
        </Panel>
      )}
    </div>
  );
};
