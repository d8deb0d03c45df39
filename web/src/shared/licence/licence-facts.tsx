import type { LicenseWire } from '@zakup/contracts/wire-entities';
import { useSession } from '../session/session-context.tsx';
import { Chip } from '../ui/chip.tsx';
import { LicenceKey } from './licence-key.tsx';
import { dateText, featureLabel, licenceStanding, seatsText, untilText } from './licence-labels.ts';
import './licence.css';

/**
 * Everything that a licence says of itself. Of the owner's Telegram name only the owner is told, and not by the licence: it stands in the
 * place of their e-mail until they write another one.
 */
export const LicenceFacts = ({
  licence,
  openSessions,
  now,
}: {
  readonly licence: LicenseWire;
  /** Null while nobody has told. */
  readonly openSessions: number | null;
  /** Milliseconds since 1970. */
  readonly now: number;
}) => {
  const { person } = useSession();
  const { word, tone } = licenceStanding(licence, now);
  const ownTelegram = person.isOwner === true && person.email.lastIndexOf('@') <= 0 ? person.email : '';
  return (
    <dl className="z-licence-facts">
      <dt>Состояние</dt>
      <dd>
        <Chip tone={tone} dot>
          {word}
        </Chip>
      </dd>
      <dt>Ключ</dt>
      <dd>
        <LicenceKey masked={licence.licenseKey} />
      </dd>
      {licence.teamName !== '' && (
        <>
          <dt>Команда</dt>
          <dd>{licence.teamName}</dd>
        </>
      )}
      <dt>Владелец</dt>
      <dd>{[licence.ownerName, licence.ownerTelegram || ownTelegram].filter(Boolean).join(', ') || '—'}</dd>
      <dt>Почта</dt>
      <dd>{licence.ownerEmail || '—'}</dd>
      <dt>Действует до</dt>
      <dd>{untilText(licence.expiresAt, now)}</dd>
      {licence.status === 'grace_period' && licence.gracePeriodExpiresAt !== null && (
        <>
          <dt>Льготный период</dt>
          <dd>до {untilText(licence.gracePeriodExpiresAt, now)}</dd>
        </>
      )}
      {licence.closesAt !== null && (
        <>
          <dt>Закрывается</dt>
          <dd>{dateText(licence.closesAt)}</dd>
        </>
      )}
      <dt>Одновременных сессий</dt>
      <dd>{seatsText(openSessions, licence.maxConcurrentSessions)}</dd>
      <dt>Разделы</dt>
      <dd>
        <ul className="z-licence-features">
          {licence.features.map((feature) => (
            <li key={feature}>{featureLabel(feature)}</li>
          ))}
        </ul>
      </dd>
    </dl>
  );
};
