import { LiveRegion } from '../../shared/toasts/live-region.tsx';
import { Lock, WarningSign } from '@blueprintjs/icons';
import type { LicenseWire } from '@zakup/contracts/wire-entities';
import { KeepLicenceOpen } from '../../shared/licence/close-licence.tsx';
import { openLicence } from '../../shared/licence/licence-opener.ts';
import { closingOf, dateText } from '../../shared/licence/licence-labels.ts';
import { Renewal } from '../../shared/licence/renewal.tsx';
import { useKnownLicence } from '../../shared/licence/use-own-licence.ts';
import { useSession } from '../../shared/session/session-context.tsx';
import { useNow } from '../../shared/ui/use-now.ts';

interface Notice {
  /** Nothing can be changed. */
  readonly locked: boolean;
  readonly text: string;
}

/** What everybody has to know of the licence on every screen; null = nothing. */
export const licenceNotice = (licence: LicenseWire, isOwner: boolean, now: number): Notice | null => {
  const { status, expiresAt, closesAt, gracePeriodExpiresAt } = licence;
  if (status === 'suspended')
    return {
      locked: true,
      text: isOwner
        ? 'Лицензия приостановлена: только просмотр и выгрузка. Сотрудники войти не могут. Напишите администратору площадки.'
        : 'Лицензия приостановлена: только просмотр. Подробности знает владелец.',
    };
  const closing = closingOf(licence, now);
  if (closing === 'over' && closesAt !== null)
    return {
      locked: true,
      text: isOwner
        ? `Вы закрыли лицензию ${dateText(closesAt)}: только просмотр и выгрузка. Открыть её снова может администратор площадки.`
        : `Владелец закрыл лицензию ${dateText(closesAt)}: только просмотр.`,
    };
  if (status === 'expired')
    return {
      locked: true,
      text: isOwner
        ? `Лицензия истекла ${dateText(expiresAt)}: только просмотр и выгрузка. Запросите продление.`
        : `Лицензия истекла ${dateText(expiresAt)}: только просмотр и выгрузка. Продлить её может владелец.`,
    };
  if (closing === 'announced' && closesAt !== null)
    return {
      locked: false,
      text: isOwner
        ? `Вы закрываете лицензию: доступ закончится ${dateText(closesAt)}.`
        : `Владелец закрывает лицензию: доступ закончится ${dateText(closesAt)}.`,
    };
  if (status === 'grace_period') {
    const until = gracePeriodExpiresAt === null ? '' : ` до ${dateText(gracePeriodExpiresAt)}`;
    return {
      locked: false,
      text: isOwner
        ? `Льготный период${until}: срок лицензии закончился ${dateText(expiresAt)}. Потом останется только чтение.`
        : `Льготный период${until}: срок лицензии закончился ${dateText(expiresAt)}. Продлить её может владелец.`,
    };
  }
  return null;
};

/** How the licence stands, above every screen, as long as it is not simply in force. */
export const LicenceBanner = () => {
  const { person } = useSession();
  const licence = useKnownLicence();
  const now = useNow();
  const notice = licence === null ? null : licenceNotice(licence, person.isOwner === true, now);
  if (licence === null || notice === null) return null;
  return (
    <div className="z-banner">
      {notice.locked ? <Lock size={14} /> : <WarningSign size={14} />}
      <LiveRegion>{notice.text}</LiveRegion>
      <KeepLicenceOpen licence={licence} now={now} small />
      <Renewal licence={licence} now={now} small />
      <button type="button" className="z-link" onClick={openLicence}>
        Подробнее
      </button>
    </div>
  );
};
