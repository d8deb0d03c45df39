import type { PersonWire } from '@zakup/contracts/wire-entities';
import { useState } from 'react';
import { problemText } from '../../shared/api/api-problem.ts';
import { useSend } from '../../shared/form/use-send.ts';
import { toasts } from '../../shared/toasts/toasts.ts';
import type { IssuedSecret } from './issued-secrets.ts';

const validFor = 72 * 60 * 60 * 1000;

/** What is asked before it is done. */
export type AccessQuestion = 'disable' | 'code' | 'password';

/** The means of signing in of a person, given anew and taken. */
export interface EmployeeAccess {
  readonly asking: AccessQuestion | null;
  readonly ask: (question: AccessQuestion | null) => void;
  /** Something is on its way. */
  readonly busy: boolean;
  readonly reissueCode: () => void;
  readonly issuePassword: () => void;
  readonly enable: () => void;
}

/** `now`: milliseconds since 1970; `onIssued` is told what was issued, a failure a toast. */
export const useEmployeeAccess = ({
  person,
  now,
  onIssued,
}: {
  readonly person: PersonWire;
  readonly now: () => number;
  readonly onIssued: (secret: IssuedSecret) => void;
}): EmployeeAccess => {
  const send = useSend();
  const [asking, ask] = useState<AccessQuestion | null>(null);
  const [busy, setBusy] = useState(false);
  const address = `/api/users/${person.id}`;

  const run = (action: () => Promise<Omit<IssuedSecret, 'userId' | 'name'>>): void => {
    setBusy(true);
    ask(null);
    action()
      .then((secret) => onIssued({ userId: person.id, name: person.name, ...secret }))
      .catch((thrown: unknown) => toasts.error(problemText(thrown)))
      .finally(() => setBusy(false));
  };
  return {
    asking,
    ask,
    busy,
    reissueCode: () =>
      run(async () => {
        const { data } = await send<{ readonly authCode: string }>('POST', `${address}/reissue-code`);
        return { authCode: data.authCode, temporaryPassword: null, validUntil: '' };
      }),
    issuePassword: () =>
      run(async () => {
        const { data } = await send<{ readonly temporaryPassword?: string }>('POST', `${address}/temporary-password`);
        return {
          authCode: data.temporaryPassword === undefined ? null : person.authCode,
          temporaryPassword: data.temporaryPassword ?? null,
          validUntil: new Date(now() + validFor).toISOString(),
        };
      }),
    enable: () =>
      run(async () => {
        const { data } = await send<{ readonly user: PersonWire }>('PUT', address, {
          isActive: true,
          baseRevision: person.revision,
        });
        return { authCode: data.user.authCode, temporaryPassword: null, validUntil: '' };
      }),
  };
};
