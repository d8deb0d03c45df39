import { Menu, MenuItem, PopoverNext } from '@blueprintjs/core';
import { Download } from '@blueprintjs/icons';
import type { HistoryEntry } from '@zakup/contracts/history';
import { formatNumber } from '@zakup/domain/russian';
import { showCampaignName } from '@zakup/domain/topics';
import { type FormEvent, useId, useState } from 'react';
import { useApi } from '../../shared/api/api-context.tsx';
import { problemText } from '../../shared/api/api-problem.ts';
import { csvOf } from '../../shared/export/csv.ts';
import { saveFile } from '../../shared/export/save-file.ts';
import { useDocs } from '../../shared/replica/replica-context.tsx';
import { toasts } from '../../shared/toasts/toasts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { Field } from '../../shared/ui/field.tsx';
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
  const formId = useId();
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
    <Dialog
      title="События кампании"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Отмена</Button>
          <Button type="submit" form={formId} look="primary" disabled={busy || current === undefined}>
            {busy ? 'Скачивается' : 'Скачать'}
          </Button>
        </>
      }
    >
      <form id={formId} className="z-form" onSubmit={submit}>
        {current === undefined ? (
          <p>Кампаний ещё нет.</p>
        ) : (
          <Field label="Кампания" hint="NDJSON: по одному событию в строке, прямо из журнала.">
            {(control) => (
              <select
                {...control}
                className="z-input"
                value={current[0]}
                onChange={(event) => setChosen(event.target.value)}
              >
                {options.map(([id, name]) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </select>
            )}
          </Field>
        )}
      </form>
    </Dialog>
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
      <PopoverNext
        placement="bottom-end"
        arrow={false}
        onOpened={(menu) => menu.querySelector<HTMLElement>('[role="menuitem"]')?.focus()}
        content={
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
        renderTarget={({ isOpen, ref, ...target }) => (
          <button
            {...target}
            ref={ref}
            type="button"
            className="z-button"
            aria-haspopup="menu"
            aria-expanded={isOpen}
            aria-busy={busy}
          >
            <Download size={14} />
            {busy ? 'Скачивается' : 'Выгрузить'}
          </button>
        )}
      />
      {choosing && <CampaignDialog initial={campaign} onClose={() => setChoosing(false)} />}
    </>
  );
};
