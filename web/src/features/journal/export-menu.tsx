import { Menu, MenuItem } from '@blueprintjs/core';
import { Download } from '@blueprintjs/icons';
import type { HistoryEntry } from '@zakup/contracts/history';
import { formatNumber } from '@zakup/domain/russian';
import { showCampaignName } from '@zakup/domain/topics';
import { type FormEvent, useState } from 'react';
import { useApi } from '../../shared/api/api-context.tsx';
import { problemText } from '../../shared/api/api-problem.ts';
import { csvOf } from '../../shared/export/csv.ts';
import { saveFile } from '../../shared/export/save-file.ts';
import { FormDialog } from '../../shared/form/form-dialog.tsx';
import { useDocs } from '../../shared/replica/replica-context.tsx';
import { toasts } from '../../shared/toasts/toasts.ts';
import { MenuButton } from '../../shared/ui/menu-button.tsx';
import { SelectField } from '../../shared/ui/select-field.tsx';
import { journalHeader, journalTable } from './journal-events.ts';
import { byLabel } from './journal-filters.tsx';

/** Downloads one thing at a time and says when it could not. */
const useDownload = () => {
  const api = useApi();
  const [busy, setBusy] = useState(false);
  return {
    busy,
    download: async (path: string, name: string): Promise<boolean> => {
      setBusy(true);
      try {
        await api.download(path, { name });
        return true;
      } catch (thrown) {
        toasts.error(problemText(thrown));
        return false;
      } finally {
        setBusy(false);
      }
    },
  };
};

const CampaignDialog = ({ initial, onClose }: { readonly initial: string; readonly onClose: () => void }) => {
  const campaigns = useDocs('campaign');
  const { busy, download } = useDownload();
  const options = campaigns.map(({ id, name }) => [id, showCampaignName(name)] as const).sort(byLabel);
  const [chosen, setChosen] = useState(initial);
  const current = options.find(([id]) => id === chosen) ?? options[0];
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (current === undefined) return;
    const [id, name] = current;
    void download(`/api/campaigns/${id}/events`, `События ${name}.ndjson`).then((done) => done && onClose());
  };
  return (
    <FormDialog
      title="События кампании"
      save={busy ? 'Скачивается' : 'Скачать'}
      disabled={busy || current === undefined}
      dirty={false}
      onSubmit={submit}
      onClose={onClose}
    >
      {current === undefined ? (
        <p>Кампаний ещё нет.</p>
      ) : (
        <SelectField
          label="Кампания"
          hint="NDJSON: по одному событию в строке, прямо из журнала."
          options={options}
          value={current[0]}
          onChange={setChosen}
        />
      )}
    </FormDialog>
  );
};

/** What of the history can be taken along as a file. */
export const ExportMenu = ({
  entries,
  campaign,
}: {
  /** What is loaded with the filters as they are. */
  readonly entries: readonly HistoryEntry[];
  /** Chosen in the filters; empty = none. */
  readonly campaign: string;
}) => {
  const { busy, download } = useDownload();
  const [choosing, setChoosing] = useState(false);
  return (
    <>
      <MenuButton
        className="z-button"
        aria-busy={busy}
        menu={
          <Menu>
            <MenuItem
              text={`Показанное, CSV: записей ${formatNumber(entries.length)}`}
              disabled={entries.length === 0}
              onClick={() =>
                saveFile(
                  'Журнал.csv',
                  new Blob([csvOf(journalHeader, journalTable(entries))], { type: 'text/csv;charset=utf-8' }),
                )
              }
            />
            <MenuItem
              text="Подписанная история, NDJSON"
              disabled={busy}
              onClick={() => void download('/api/license/history-bundle', 'История лицензии.ndjson')}
            />
            <MenuItem text="События кампании, NDJSON…" onClick={() => setChoosing(true)} />
          </Menu>
        }
      >
        <Download size={14} />
        {busy ? 'Скачивается' : 'Выгрузить'}
      </MenuButton>
      {choosing && <CampaignDialog initial={campaign} onClose={() => setChoosing(false)} />}
    </>
  );
};
