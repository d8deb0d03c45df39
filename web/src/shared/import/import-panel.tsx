import { Import } from '@blueprintjs/icons';
import type { ImportWire } from '@zakup/contracts/imports';
import { type DragEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { LiveRegion } from '../toasts/live-region.tsx';
import { useDocs } from '../replica/replica-context.tsx';
import { useSession } from '../session/session-context.tsx';
import { Button } from '../ui/button.tsx';
import { ImportProgress } from './import-progress.tsx';
import { ImportReview } from './import-review.tsx';
import { progressOf } from './import-state.ts';
import { useImportFile } from './use-import-file.ts';
import './import.css';

const kinds = '.csv,.tsv,.txt,.xlsx';

/** A file is chosen, or let fall on it. */
const FilePlace = ({ onFile, problem }: { readonly onFile: (file: File) => void; readonly problem: string | null }) => {
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (file !== undefined) onFile(file);
  };
  return (
    <div
      className={over ? 'z-import-place z-import-over' : 'z-import-place'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <input
        ref={input}
        type="file"
        accept={kinds}
        hidden
        aria-label="Файл с размещениями"
        onChange={({ target }) => {
          const file = target.files?.[0];
          if (file !== undefined) onFile(file);
          target.value = '';
        }}
      />
      <Button icon={<Import size={14} />} onClick={() => input.current?.click()}>
        Выбрать файл
      </Button>
      <span className="z-secondary">CSV, TSV или XLSX, до 20 000 строк. Можно перетащить сюда.</span>
      {problem !== null && (
        <p role="alert" className="z-bad">
          {problem}
        </p>
      )}
    </div>
  );
};

/** Own import into the campaign that is being written or undone, also one that was begun elsewhere. */
const useRunning = (campaignId: string): ImportWire | null => {
  const { person } = useSession();
  const running = useDocs('import').find(
    (one) => one.campaignId === campaignId && one.by === person.id && progressOf(one) !== null,
  );
  return running ?? null;
};

/** Placements from a file into one campaign; `first`: a file to begin with. Keyed by the campaign: another one begins anew. */
export const ImportPanel = ({ campaignId, first }: { readonly campaignId: string; readonly first?: File }) => {
  const running = useRunning(campaignId);
  const [started, setStarted] = useState<ImportWire | null>(null);
  const importing = useImportFile(campaignId, setStarted);
  const { step, choose } = importing;
  const begin = useEffectEvent(() => {
    if (first !== undefined) choose(first);
  });
  useEffect(() => begin(), []);
  // One that was begun elsewhere is followed to its end as well.
  if (started === null && running !== null) setStarted(running);
  if (started !== null) return <ImportProgress key={started.id} started={started} onClose={() => setStarted(null)} />;
  if (step.kind === 'judged') return <ImportReview importing={importing} />;
  if (step.kind === 'reading') return <LiveRegion className="z-secondary">Файл читается…</LiveRegion>;
  return <FilePlace onFile={choose} problem={step.kind === 'refused' ? step.reason : null} />;
};
