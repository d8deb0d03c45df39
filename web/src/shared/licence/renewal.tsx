import { useQueryClient } from '@tanstack/react-query';
import type { LicenseWire } from '@zakup/contracts/wire-entities';
import { may } from '@zakup/domain/permissions';
import { showInstant } from '../day/shown-day.ts';
import { useState } from 'react';
import { problemText } from '../api/api-problem.ts';
import { useSend } from '../form/use-send.ts';
import { useSession } from '../session/session-context.tsx';
import { useRights } from '../session/use-rights.ts';
import { announce, toasts } from '../toasts/toasts.ts';
import { Button } from '../ui/button.tsx';
import { isEnding } from './licence-labels.ts';
import { ownLicenceKey } from './use-own-licence.ts';

/** «Продлить» from 30 days before the end on: the owner asks once, and then sees when that was. */
export const Renewal = ({
  licence,
  now,
  small = false,
}: {
  readonly licence: LicenseWire;
  readonly now: number;
  readonly small?: boolean;
}) => {
  const send = useSend();
  const queries = useQueryClient();
  const { person } = useSession();
  const { actor } = useRights();
  const [busy, setBusy] = useState(false);
  if (licence.renewalRequestedAt !== null)
    return <span className="z-secondary">Продление запрошено {showInstant(licence.renewalRequestedAt)}</span>;
  if (!isEnding(licence, now) || !may(actor, 'licence.requestRenewal').allowed) return null;
  const ask = (): void => {
    setBusy(true);
    send('POST', '/api/license/renewal-request', {})
      .then(() => {
        announce('Запрос на продление отправлен администратору');
        return queries.invalidateQueries({ queryKey: ownLicenceKey(person.licenseId) });
      })
      .catch((thrown: unknown) => toasts.error(problemText(thrown)))
      .finally(() => setBusy(false));
  };
  return (
    <Button small={small} look="primary" disabled={busy} onClick={ask}>
      {busy ? 'Отправляется…' : 'Продлить'}
    </Button>
  );
};
