import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { recoveryCodesData, secondFactorData, secondFactorKeyData } from '@zakup/contracts/calls/replies';
import { messages } from '@zakup/domain/messages';
import { type FormEvent, useState } from 'react';
import type { z } from 'zod';
import { useApi } from '../api/api-context.tsx';
import { ApiProblem, problemText } from '../api/api-problem.ts';
import { showInstant } from '../day/shown-day.ts';
import { CheckedForm } from '../form/checked-form.tsx';
import { QueryFailure } from '../load/query-failure.tsx';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { TextField } from '../ui/field.tsx';
import { PasswordField } from '../ui/password-field.tsx';
import { Skeleton } from '../ui/states.tsx';
import { KeyPicture } from './key-picture.tsx';
import './second-factor.css';

export type SecondFactorKey = z.infer<typeof secondFactorKeyData>;
type State = z.infer<typeof secondFactorData>;

type View =
  | { readonly kind: 'state' }
  /** Asks for the password before the key is shown. */
  | { readonly kind: 'beginning' }
  | { readonly kind: 'confirming'; readonly key: SecondFactorKey }
  | { readonly kind: 'proving'; readonly of: 'off' | 'recovery-codes' }
  | { readonly kind: 'codes'; readonly recoveryCodes: readonly string[] };

interface Wrong {
  readonly field: 'currentPassword' | 'code';
  readonly text: string;
}

interface Given {
  readonly currentPassword: string;
  readonly code: string;
}

/** A password, a code, or both, and what is done with them. */
export const SecretsForm = ({
  asks,
  action,
  danger = false,
  onSend,
  onCancel,
}: {
  readonly asks: readonly ('currentPassword' | 'code')[];
  readonly action: string;
  readonly danger?: boolean;
  readonly onSend: (given: Given) => Promise<void>;
  readonly onCancel: () => void;
}) => {
  const [given, setGiven] = useState<Given>({ currentPassword: '', code: '' });
  const [wrong, setWrong] = useState<Wrong | null>(null);
  const [busy, setBusy] = useState(false);
  const errorOf = (field: Wrong['field']): string | null => (wrong?.field === field ? wrong.text : null);
  const send = async (): Promise<void> => {
    const missing = asks.find((field) => given[field].trim() === '');
    setWrong(missing === undefined ? null : { field: missing, text: messages.fieldsRequired });
    if (missing !== undefined) return;
    setBusy(true);
    try {
      await onSend(given);
    } catch (thrown) {
      const aboutCode = thrown instanceof ApiProblem && thrown.errorAt('/code') !== null;
      const [first = 'code'] = asks;
      setWrong({ field: aboutCode && asks.includes('code') ? 'code' : first, text: problemText(thrown) });
      setBusy(false);
    }
  };
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    send().catch(() => undefined);
  };
  return (
    <CheckedForm onSubmit={onSubmit}>
      {asks.includes('currentPassword') && (
        <PasswordField
          label="Пароль для входа"
          value={given.currentPassword}
          autoComplete="current-password"
          focusOnMount
          disabled={busy}
          error={errorOf('currentPassword')}
          onChange={(currentPassword) => setGiven({ ...given, currentPassword })}
        />
      )}
      {asks.includes('code') && (
        <TextField
          label="Код из приложения"
          value={given.code}
          maxLength={20}
          autoComplete="one-time-code"
          spellCheck={false}
          focusOnMount={!asks.includes('currentPassword')}
          disabled={busy}
          error={errorOf('code')}
          hint={asks.includes('currentPassword') ? 'Или резервный код' : '6 цифр'}
          onChange={(code) => setGiven({ ...given, code })}
        />
      )}
      <div className="z-second-factor-buttons">
        <Button look={danger ? 'danger' : 'primary'} type="submit" disabled={busy}>
          {action}
        </Button>
        <Button disabled={busy} onClick={onCancel}>
          Отмена
        </Button>
      </div>
    </CheckedForm>
  );
};

export const KeyShown = ({ secret, url }: SecondFactorKey) => (
  <>
    <p>Отсканируйте картинку приложением с кодами, например «Яндекс Ключ» или Google Authenticator.</p>
    <KeyPicture text={url} label="Ключ второго фактора для камеры" />
    <p className="z-key-text">
      <span>
        Или введите ключ:{' '}
        <b className="z-mono" data-testid="second-factor-key">
          {secret.replaceAll(/(.{4})(?=.)/gu, '$1 ')}
        </b>
      </span>
      <CopyButton small text={secret} what="ключ второго фактора" />
    </p>
  </>
);

/** Who takes the second factor away from whoever has lost both telephone and recovery codes. */
export type Rescuer = 'colleague' | 'admin' | 'server';

const rescueWords: Readonly<Record<Rescuer, string>> = {
  colleague: 'снимет коллега, который может выдать вам временный пароль.',
  admin: 'снимет администратор установки.',
  server: 'снимет только тот, у кого есть доступ к серверу: командой npm run admin:reset.',
};

export const RecoveryCodes = ({
  codes,
  rescuer,
  onKept,
}: {
  readonly codes: readonly string[];
  readonly rescuer: Rescuer;
  readonly onKept: () => void;
}) => (
  <>
    <p>
      Второй фактор включён. Сохраните резервные коды: каждый один раз заменит код из приложения, если телефона нет под
      рукой. Больше они не будут показаны. Если пропадут и телефон, и коды, второй фактор {rescueWords[rescuer]}
    </p>
    <ul className="z-recovery-codes z-mono" aria-label="Резервные коды">
      {codes.map((code) => (
        <li key={code}>{code}</li>
      ))}
    </ul>
    <div className="z-second-factor-buttons">
      <CopyButton text={codes.join('\n')} what="резервные коды" />
      <Button look="primary" onClick={onKept}>
        Коды сохранены
      </Button>
    </div>
  </>
);

const Standing = ({
  state,
  needed,
  onChoose,
}: {
  readonly state: State;
  readonly needed: boolean;
  readonly onChoose: (view: View) => void;
}) =>
  state.since === null ? (
    <>
      <p>Кроме пароля при входе понадобится код из приложения на телефоне: чужой с вашим паролем не войдёт.</p>
      <Button look="primary" onClick={() => onChoose({ kind: 'beginning' })}>
        Включить второй фактор
      </Button>
    </>
  ) : (
    <>
      <p>
        Включён {showInstant(state.since)}. Осталось резервных кодов: {state.recoveryCodesLeft}.
        {needed && ' В вашей команде он обязателен.'}
      </p>
      <div className="z-second-factor-buttons">
        <Button onClick={() => onChoose({ kind: 'proving', of: 'recovery-codes' })}>Новые резервные коды</Button>
        {!needed && (
          <Button look="danger" onClick={() => onChoose({ kind: 'proving', of: 'off' })}>
            Выключить
          </Button>
        )}
      </div>
    </>
  );

/** One's own second factor: whether it is on, switching it on by a key and a first code, and off by both secrets. */
export const SecondFactor = ({
  path,
  owner,
  rescuer,
  needed = false,
}: {
  /** Where it is read and changed. */
  readonly path: `/api/${string}`;
  /** Whose it is. */
  readonly owner: string;
  readonly rescuer: Rescuer;
  /** The whole team must have one: it is not switched off. */
  readonly needed?: boolean;
}) => {
  const api = useApi();
  const queries = useQueryClient();
  const queryKey = ['second-factor', owner];
  const [view, setView] = useState<View>({ kind: 'state' });
  const standing = useQuery({
    queryKey,
    queryFn: async ({ signal }) => (await api.get<State>(path, { signal })).data,
  });
  const changed = (next: View): void => {
    setView(next);
    queries.invalidateQueries({ queryKey }).catch(() => undefined);
  };
  const back = (): void => setView({ kind: 'state' });
  const codesOf = async (call: string, body: object): Promise<void> => {
    const { data } = await api.send<z.infer<typeof recoveryCodesData>>('POST', `${path}/${call}`, body);
    changed({ kind: 'codes', recoveryCodes: data.recoveryCodes });
  };

  const { data } = standing;
  if (!data && standing.error) return <QueryFailure query={standing} />;
  if (!data) return <Skeleton rows={2} height={26} />;
  return (
    <div className="z-second-factor">
      {view.kind === 'state' && <Standing state={data} needed={needed} onChoose={setView} />}
      {view.kind === 'beginning' && (
        <SecretsForm
          asks={['currentPassword']}
          action="Продолжить"
          onCancel={back}
          onSend={async ({ currentPassword }) => {
            const { data: key } = await api.send<SecondFactorKey>('POST', `${path}/begin`, { currentPassword });
            setView({ kind: 'confirming', key });
          }}
        />
      )}
      {view.kind === 'confirming' && (
        <>
          <KeyShown {...view.key} />
          <SecretsForm
            asks={['code']}
            action="Включить"
            onCancel={back}
            onSend={({ code }) => codesOf('confirm', { code: code.trim() })}
          />
        </>
      )}
      {view.kind === 'proving' && (
        <SecretsForm
          key={view.of}
          asks={['currentPassword', 'code']}
          action={view.of === 'off' ? 'Выключить' : 'Получить новые коды'}
          danger={view.of === 'off'}
          onCancel={back}
          onSend={async ({ currentPassword, code }) => {
            const body = { currentPassword, code: code.trim() };
            if (view.of === 'recovery-codes') return codesOf(view.of, body);
            await api.send('POST', `${path}/off`, body);
            changed({ kind: 'state' });
          }}
        />
      )}
      {view.kind === 'codes' && <RecoveryCodes codes={view.recoveryCodes} rescuer={rescuer} onKept={back} />}
    </div>
  );
};
