import { Cross, Edit, GitMerge, Refresh } from '@blueprintjs/icons';
import type { ContractorWire } from '@zakup/contracts/wire-entities';
import { showDateWithYear } from '@zakup/domain/calendar';
import { showTopic } from '@zakup/domain/topics';
import type { ReactElement } from 'react';
import { showDate } from '../../shared/day/shown-day.ts';
import { KindNote } from '../../shared/explanations/figure-kind.tsx';
import { useMoment } from '../../shared/moment/moment-context.ts';
import { PastButton } from '../../shared/time-travel/past-button.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Chip } from '../../shared/ui/chip.tsx';
import { channelNameOf } from './contractor-figures.ts';

const used = ({ firstUsed, lastUsed }: ContractorWire): string =>
  firstUsed === null || lastUsed === null
    ? 'размещений ещё не было'
    : `с ${showDateWithYear(firstUsed)}, последнее ${showDate(lastUsed)}`;

const ContractorFacts = ({ contractor }: { readonly contractor: ContractorWire }) => {
  const others = contractor.otherUsernames ?? [];
  return (
    <>
      {contractor.isActive ? (
        <Chip tone="good" dot>
          Активен
        </Chip>
      ) : (
        <Chip>Отключён</Chip>
      )}
      <Chip>{showTopic(contractor.category)}</Chip>
      <span className="z-secondary">
        {[channelNameOf(contractor), used(contractor), others.length > 0 && `также ${others.join(', ')}`]
          .filter(Boolean)
          .join(' · ')}
      </span>
      <KindNote campaignId={null} />
    </>
  );
};

/** A button that is only its icon where there is little room. */
const ToolButton = ({
  icon,
  label,
  text = label,
  disabled = false,
  onClick,
}: {
  readonly icon: ReactElement;
  readonly label: string;
  /** What is to be read where it is not the label. */
  readonly text?: string;
  readonly disabled?: boolean;
  readonly onClick: () => void;
}) => (
  <Button look="plain" icon={icon} aria-label={label} disabled={disabled} onClick={onClick}>
    <span className="z-contractor-word">{text}</span>
  </Button>
);

/** Who it is, and what can be done with it; an act that is null is not offered. */
export const ContractorHead = ({
  titleId,
  nick,
  contractor,
  isRefreshing,
  onChange,
  onMerge,
  onRefresh,
  onClose,
}: {
  readonly titleId: string;
  /** Null while it is unknown. */
  readonly nick: string | null;
  readonly contractor: ContractorWire | null;
  readonly isRefreshing: boolean;
  readonly onChange: (() => void) | null;
  readonly onMerge: (() => void) | null;
  readonly onRefresh: () => void;
  readonly onClose: () => void;
}) => {
  const isNow = useMoment() === null;
  return (
    <div className="z-contractor-head">
      <div className="z-contractor-title">
        <h2 id={titleId}>{nick ?? 'Контрагент'}</h2>
        {contractor !== null && <ContractorFacts contractor={contractor} />}
      </div>
      <span className="z-contractor-tools">
        {onChange !== null && <ToolButton icon={<Edit size={14} />} label="Изменить" onClick={onChange} />}
        {onMerge !== null && <ToolButton icon={<GitMerge size={14} />} label="Объединить с…" onClick={onMerge} />}
        <PastButton campaignId={null} />
        {isNow && (
          <ToolButton
            icon={<Refresh size={14} />}
            label="Обновить"
            text={isRefreshing ? 'Обновление…' : 'Обновить'}
            disabled={isRefreshing}
            onClick={onRefresh}
          />
        )}
        <Button look="plain" icon={<Cross size={16} />} aria-label="Закрыть" onClick={onClose} />
      </span>
    </div>
  );
};
