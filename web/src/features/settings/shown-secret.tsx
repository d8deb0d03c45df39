import { Cross, Lock } from '@blueprintjs/icons';
import { LiveRegion } from '../../shared/toasts/live-region.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { CopyButton } from '../../shared/ui/copy-button.tsx';

/** A secret that is told once, on the screen until closed and never again. */
export const ShownSecret = ({
  title,
  secret,
  what,
  note,
  lost,
  testId,
  onClose,
}: {
  readonly title: string;
  /** Absent = it was told before. */
  readonly secret: string | undefined;
  /** What is copied, for who cannot see it. */
  readonly what: string;
  readonly note: string;
  /** What to do when it was told before. */
  readonly lost: string;
  readonly testId: string;
  readonly onClose: () => void;
}) => (
  <div className="z-secret">
    <Lock size={16} />
    <dl>
      <dt>
        <LiveRegion>{title}</LiveRegion>
      </dt>
      {secret !== undefined && (
        <div>
          <dd className="z-mono z-key-secret" data-testid={testId}>
            {secret}
          </dd>
          <CopyButton small text={secret} what={what} />
        </div>
      )}
      <dd className="z-secondary">{secret === undefined ? `Секрет уже был показан. ${lost}` : note}</dd>
    </dl>
    <Button look="plain" icon={<Cross size={16} />} aria-label="Убрать с экрана" onClick={onClose} />
  </div>
);
