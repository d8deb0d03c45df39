import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { secondFactorOfData } from '@zakup/contracts/calls/replies';
import type { PersonWire } from '@zakup/contracts/wire-entities';
import { useId, useState } from 'react';
import type { z } from 'zod';
import { useApi } from '../../shared/api/api-context.tsx';
import { problemText } from '../../shared/api/api-problem.ts';
import { showInstant } from '../../shared/day/shown-day.ts';
import { SavedNote } from '../../shared/form/saved-note.tsx';
import { QueryFailure } from '../../shared/load/query-failure.tsx';
import { useDocs } from '../../shared/replica/replica-context.tsx';
import { toasts } from '../../shared/toasts/toasts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { ConfirmDialog } from '../../shared/ui/dialog.tsx';
import { Skeleton } from '../../shared/ui/states.tsx';

/** Whether a colleague has a second factor, and taking it away from one who has lost telephone and recovery codes. */
export const SecondFactorOf = ({
  person,
  beside,
}: {
  readonly person: PersonWire;
  /** The card stands beside the list, and not in a dialog that the question has to lie over. */
  readonly beside: boolean;
}) => {
  const api = useApi();
  const queries = useQueryClient();
  const path = `/api/users/${person.id}/second-factor` as const;
  const queryKey = ['second-factor-of', person.id];
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const [done, setDone] = useState(false);
  const headingId = useId();
  const standing = useQuery({
    queryKey,
    queryFn: async ({ signal }) => (await api.get<z.infer<typeof secondFactorOfData>>(path, { signal })).data,
  });
  const reset = (): void => {
    setAsking(false);
    setBusy(true);
    api
      .send('DELETE', path)
      .then(() => setDone(true))
      .catch((thrown: unknown) => toasts.error(problemText(thrown)))
      .finally(() => {
        setBusy(false);
        for (const key of [queryKey, ['sessions', person.id]])
          queries.invalidateQueries({ queryKey: key }).catch(() => undefined);
      });
  };
  const { data } = standing;
  const needed = useDocs('license')[0]?.settings.secondFactorForAll === true;
  return (
    <section className="z-employee-sessions" aria-labelledby={headingId}>
      <h3 id={headingId}>Второй фактор</h3>
      {!data && !standing.error && <Skeleton rows={1} height={26} />}
      {!data && standing.error && <QueryFailure query={standing} />}
      {data?.since === null &&
        (done ? (
          <SavedNote>
            {needed
              ? 'Второй фактор снят. При следующем входе попросят настроить его снова'
              : 'Второй фактор снят. Войти можно одним паролем, пока его не включат снова'}
          </SavedNote>
        ) : (
          <p className="z-secondary">
            {needed ? 'Не включён: настроит при следующем входе.' : 'Не включён: вход по одному паролю.'}
          </p>
        ))}
      {typeof data?.since === 'string' && (
        <>
          <p className="z-secondary">Включён {showInstant(data.since)}.</p>
          <Button look="danger" disabled={busy} onClick={() => setAsking(true)}>
            Снять второй фактор
          </Button>
        </>
      )}
      {asking && (
        <ConfirmDialog
          key={String(beside)}
          title={`Снять второй фактор: ${person.name}?`}
          confirm="Снять"
          danger
          onConfirm={reset}
          onCancel={() => setAsking(false)}
        >
          {needed
            ? 'Если потеряны и телефон, и резервные коды. Открытые сессии завершатся, при следующем входе по паролю попросят настроить второй фактор снова. Кто и когда снял, останется в журнале.'
            : 'Если потеряны и телефон, и резервные коды. Открытые сессии завершатся, войти можно будет одним паролем, пока второй фактор не включат снова. Кто и когда снял, останется в журнале.'}
        </ConfirmDialog>
      )}
    </section>
  );
};
