import { LiveRegion } from '../../shared/toasts/live-region.tsx';
import { Cross, Lock } from '@blueprintjs/icons';
import { showInstant } from '../../shared/day/shown-day.ts';
import { Button } from '../../shared/ui/button.tsx';
import { CopyButton } from '../../shared/ui/copy-button.tsx';
import type { IssuedSecret } from './issued-secrets.ts';

/** For the message in which a person gets it. */
const wholeText = ({ authCode, temporaryPassword }: IssuedSecret): string =>
  [
    `Вход: ${window.location.origin}/`,
    authCode !== null && `Код доступа: ${authCode}`,
    temporaryPassword !== null && `Временный пароль: ${temporaryPassword}`,
  ]
    .filter(Boolean)
    .join('\n');

/** Code and one-time password, on the screen until closed and never again. */
export const SecretBanner = ({ secret, onClose }: { readonly secret: IssuedSecret; readonly onClose: () => void }) => {
  const { name, authCode, temporaryPassword, validUntil } = secret;
  return (
    <div className="z-secret">
      <Lock size={16} />
      <dl>
        <dt>
          <LiveRegion>{name}</LiveRegion>
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
      {(authCode ?? temporaryPassword) !== null && (
        <CopyButton text={wholeText(secret)} label="Скопировать всё" what={name} />
      )}
      <Button look="plain" icon={<Cross size={16} />} aria-label="Убрать с экрана" onClick={onClose} />
    </div>
  );
};
