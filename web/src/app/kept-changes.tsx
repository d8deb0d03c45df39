import { formatNumber, plural } from '@zakup/domain/russian';
import { useEffect, useState } from 'react';
import type { entryStoreFor } from '../shared/outbox/entry-store.ts';
import { useSignedIn } from '../shared/session/session-context.tsx';

const useUnsent = (storeFor: typeof entryStoreFor | undefined): number => {
  const person = useSignedIn();
  const [unsent, setUnsent] = useState(0);
  const licenceId = person?.licenseId;
  const personId = person?.id;
  useEffect(() => {
    if (licenceId === undefined || personId === undefined) return undefined;
    let over = false;
    // Not with the first load, whose part this page is.
    import('../shared/outbox/stored-unsent.ts')
      .then(({ storedUnsent }) => storedUnsent({ licenceId, personId }, storeFor))
      .then(
        (count) => over || setUnsent(count),
        // What cannot be read is not spoken of.
        () => undefined,
      );
    return () => {
      over = true;
    };
  }, [licenceId, personId, storeFor]);
  return unsent;
};

/** What became of a person's work where the window failed; read from where it is kept, as what sends it is gone with the screen. */
export const KeptChanges = ({ storeFor }: { readonly storeFor?: typeof entryStoreFor }) => {
  const unsent = useUnsent(storeFor);
  if (unsent === 0) return 'Сохранённые данные целы.';
  const go = plural(unsent, 'ждёт отправки и уйдёт само', 'ждут отправки и уйдут сами', 'ждут отправки и уйдут сами');
  return `Ваши изменения целы: ${formatNumber(unsent)} ${go}.`;
};
