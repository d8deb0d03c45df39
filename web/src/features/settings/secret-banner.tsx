import { Told } from '../../shared/toasts/told.tsx';
import { Cross, Lock } from '@blueprintjs/icons';
import { showInstant } from '@zakup/domain/calendar';
import { Button } from '../../shared/ui/button.tsx';
import { CopyButton } from '../../shared/ui/copy-button.tsx';

/** What opens the door to a person, right after it was made; nowhere kept. */
export interface IssuedSecret {
  readonly userId: string;
  readonly name: string;
  readonly authCode: string | null;
  readonly temporaryPassword: string | null;
  /** UTC instant. */
  readonly validUntil: string;
}

/** Those on the screen, the newest first, with one more: a person has one, and nobody's goes by what another one gets. */
export const withSecret = (secrets: readonly IssuedSecret[], added: IssuedSecret): readonly IssuedSecret[] => [
  added,
  ...withoutSecret(secrets, added.userId),
];

export const withoutSecret = (secrets: readonly IssuedSecret[], userId: string): readonly IssuedSecret[] =>
  secrets.filter((secret) => secret.userId !== userId);

/** Code and one-time password, on the screen until closed and never again. */
export const SecretBanner = ({ secret, onClose }: { readonly secret: IssuedSecret; readonly onClose: () => void }) => {
  const { name, authCode, temporaryPassword, validUntil } = secret;
  return (
    <div className="z-secret">
      <Lock size={16} />
      <dl>
        <dt>
          <Told>{name}</Told>
        </dt>
        {authCode !== null && (
          <div>
            <dt>Код доступа:</dt>
            <dd className="z-mono" data-testid="issued-auth-code">
              {authCode}
            </dd>
            <CopyButton small text={authCode} what={`код доступа, ${name}`} />
          </div>
        )}
        {temporaryPassword !== null && (
          <div>
            <dt>Временный пароль:</dt>
            <dd className="z-mono" data-testid="issued-password">
              {temporaryPassword}
            </dd>
            <CopyButton small text={temporaryPassword} what={`временный пароль, ${name}`} />
          </div>
        )}
        <dd className="z-secondary">
          {temporaryPassword !== null
            ? `Показан один раз, действует до ${showInstant(validUntil)}. При входе система попросит новый.`
            : authCode !== null
              ? 'Прежний код больше не действует.'
              : 'Пароль уже был показан. Если его не записали, выдайте новый временный пароль.'}
        </dd>
      </dl>
      <Button look="plain" icon={<Cross size={16} />} aria-label="Убрать с экрана" onClick={onClose} />
    </div>
  );
};
