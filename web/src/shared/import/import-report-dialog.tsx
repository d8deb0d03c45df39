import { useQuery } from '@tanstack/react-query';
import type { ImportWire } from '@zakup/contracts/imports';
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
  const { data, error, refetch } = useQuery({
    queryKey: ['import', person.id, id],
    enabled: live === null,
    queryFn: async ({ signal }) =>
      (await api.get<{ readonly import: ImportWire }>(`/api/imports/${encodeURIComponent(id)}`, { signal })).data
        .import,
  });
  const one = live ?? data;
  return (
    <Dialog title="Импорт размещений" width={720} onClose={onClose}>
      {one !== undefined ? (
        <ImportProgress started={one} onClose={onClose} />
      ) : error === null ? (
        <Skeleton rows={3} />
      ) : (
        <ErrorState error={error} onRetry={() => void refetch()} />
      )}
    </Dialog>
  );
};
