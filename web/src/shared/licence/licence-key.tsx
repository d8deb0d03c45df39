import { EyeOff, EyeOpen } from '@blueprintjs/icons';
import type { LicenseWire } from '@zakup/contracts/wire-entities';
import { may } from '@zakup/domain/permissions';
import { useState } from 'react';
import { useApi } from '../api/api-context.tsx';
import { problemText } from '../api/api-problem.ts';
import { useRights } from '../session/use-rights.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import './licence.css';

/** The key, of which only the owner may see more than the end; what is shown can be copied. */
export const LicenceKey = ({ masked }: { readonly masked: string }) => {
  const api = useApi();
  const { actor } = useRights();
  const [key, setKey] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const mayReveal = may(actor, 'licence.reveal').allowed;
  const toggle = (): void => {
    if (key !== null) {
      setKey(null);
      return;
    }
    setBusy(true);
    setProblem(null);
    api
      .get<{ readonly license: LicenseWire }>('/api/license', { query: { reveal: true } })
      .then(({ data }) => setKey(data.license.licenseKey))
      .catch((thrown: unknown) => setProblem(problemText(thrown)))
      .finally(() => setBusy(false));
  };
  return (
    <span className="z-licence-key">
      <span className="z-mono">{key ?? masked}</span>
      {mayReveal && (
        <>
          <Button
            small
            look="plain"
            disabled={busy}
            icon={key === null ? <EyeOpen size={14} /> : <EyeOff size={14} />}
            aria-label={key === null ? 'Показать ключ' : 'Скрыть ключ'}
            title={key === null ? 'Показать ключ' : 'Скрыть ключ'}
            onClick={toggle}
          />
          {key !== null && <CopyButton small text={key} what="лицензионный ключ" />}
        </>
      )}
      {problem !== null && (
        <span className="z-bad" role="alert">
          {problem}
        </span>
      )}
    </span>
  );
};
