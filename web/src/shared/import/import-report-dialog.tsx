import { useQuery } from '@tanstack/react-query';
import type { ImportWire } from '@zakup/contracts/imports';
import { useRef } from 'react';
import { useApi } from '../api/api-context.tsx';
import { useDoc } from '../replica/replica-context.tsx';
import { useSession } from '../session/session-context.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorState, Skeleton } from '../ui/states.tsx';
import { ImportProgress } from './import-progress.tsx';
import './import.css';

/** One import of the person, with its bad rows and the way to take it back; asked for where the line does not bring it any more. */
export const ImportReportDialog = ({ id, onClose }: { readonly id: string; readonly onClose: () => void }) => {
  const api = useApi();
  const { person } = useSession();
  const live = useDoc('import', id);
  /** Position at which its undo began here: what is older still tells it as done. */
  const changedAt = useRef<number | null>(null);
  const { data, error, refetch } = useQuery({
    queryKey: ['import', person.id, id],
    enabled: live === null,
    staleTime: 0,
    queryFn: async ({ signal }) => {
      const after = changedAt.current;
      const query = after === null ? {} : { query: { after } };
      const path = `/api/imports/${encodeURIComponent(id)}`;
      return (await api.get<{ readonly import: ImportWire }>(path, { signal, ...query })).data.import;
    },
  });
  const one = live ?? data;
  const onBegun = (position: number): void => {
    changedAt.current = position;
    void refetch();
  };
  return (
    <Dialog title="Импорт размещений" width={720} onClose={onClose}>
      {one !== undefined ? (
        <ImportProgress started={one} onClose={onClose} onBegun={onBegun} />
      ) : error === null ? (
        <Skeleton rows={3} />
      ) : (
        <ErrorState error={error} onRetry={() => void refetch()} />
      )}
    </Dialog>
  );
};
