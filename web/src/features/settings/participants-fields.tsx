import { LiveRegion } from '../../shared/toasts/live-region.tsx';
import { Cross, WarningSign } from '@blueprintjs/icons';
import type { UserWire } from '@zakup/contracts/wire-entities';
import { formatRoubles, kopecks } from '@zakup/domain/money';
import { roleLabels } from '@zakup/domain/topics';
import { useId, useState } from 'react';
import { severalCells, singleValuePaste } from '../../shared/ui/single-value-paste.ts';
import { Button } from '../../shared/ui/button.tsx';
import { budgetExcess, type ParticipantValues, participantsOf } from './campaign-form.ts';
import type { EntityForm } from '../../shared/form/use-entity-form.ts';
import { schemeOptions } from './terms-fields.tsx';

const buys = ({ role, isActive }: UserWire): boolean => isActive && (role === 'MEDIA_BUYER' || role === 'TEAM_LEAD');

/** One who buys. */
const ParticipantRow = ({
  one,
  user,
  noteId,
  errorOf,
  hasRefused,
  onRefused,
  onChange,
}: {
  readonly one: ParticipantValues;
  /** Undefined while it is not known who that is. */
  readonly user: UserWire | undefined;
  /** Of what is wrong with the row. */
  readonly noteId: string;
  readonly errorOf: (field: string) => string | undefined;
  /** Several cells were pasted into a field of the row. */
  readonly hasRefused: boolean;
  readonly onRefused: (refused: boolean) => void;
  /** Null = is taken out. */
  readonly onChange: (value: ParticipantValues | null) => void;
}) => {
  const name = user?.name ?? 'Неизвестный сотрудник';
  const wrong = errorOf('budget') ?? errorOf('salaryType') ?? errorOf('salaryRate') ?? errorOf('cplThreshold');
  const oneValue = {
    ...singleValuePaste(() => onRefused(true)),
    onFocus: () => onRefused(false),
  };
  const judged = (field: string) =>
    errorOf(field) === undefined ? {} : ({ 'aria-invalid': true, 'aria-describedby': noteId } as const);
  const change = (changes: Partial<ParticipantValues>): void => onChange({ ...one, ...changes });
  const number = (field: 'budget' | 'salaryRate' | 'cplThreshold', label: string, isUsed = true) => (
    <label>
      <span>{label}</span>
      <input
        className="z-input z-right"
        inputMode="decimal"
        aria-label={`${label}: ${name}`}
        {...judged(field)}
        disabled={!isUsed}
        value={isUsed ? one[field] : ''}
        {...oneValue}
        onChange={(event) => change({ [field]: event.target.value })}
      />
    </label>
  );
  return (
    <li>
      <span className="z-settings-name">
        <b>{name}</b>
        {user && <small className="z-secondary">{roleLabels[user.role]}</small>}
      </span>
      {number('budget', 'Бюджет, ₽')}
      <label>
        <span>Схема</span>
        <select
          className="z-input"
          aria-label={`Схема: ${name}`}
          {...judged('salaryType')}
          value={one.salaryType}
          onChange={(event) => change({ salaryType: event.target.value })}
        >
          {schemeOptions('По карточке', one.salaryType).map(([scheme, label]) => (
            <option key={scheme} value={scheme}>
              {label}
            </option>
          ))}
        </select>
      </label>
      {number('salaryRate', 'Ставка, %', one.salaryType !== '')}
      {number('cplThreshold', 'Порог CPL, ₽', one.salaryType === 'performance')}
      <Button look="plain" icon={<Cross size={14} />} aria-label={`Убрать: ${name}`} onClick={() => onChange(null)} />
      {hasRefused && (
        <p className="z-field-hint">
          <LiveRegion>{severalCells}</LiveRegion>
        </p>
      )}
      {wrong !== undefined && (
        <p id={noteId} className="z-field-error">
          {wrong}
        </p>
      )}
    </li>
  );
};

/** Who buys in the campaign, for how much and on what terms. */
export const ParticipantsFields = ({
  form,
  users,
}: {
  readonly form: EntityForm;
  readonly users: readonly UserWire[];
}) => {
  const errors = useId();
  /** Whose field several cells were pasted into. */
  const [refusedAt, setRefusedAt] = useState<string | null>(null);
  /** What is wrong with all of them together. */
  const all = form.error('participants');
  const participants = participantsOf(form.values);
  const taken = new Set(participants.map(({ userId }) => userId));
  const free = users.filter((user) => buys(user) && !taken.has(user.id));
  const excess = budgetExcess(form.values);
  const put = (userId: string, value: ParticipantValues | null): void =>
    form.set({ [`participants/${userId}`]: value });
  return (
    <fieldset className="z-participants">
      <legend>Участники</legend>
      {participants.length > 0 && (
        <ul>
          {participants.map((one, index) => (
            <ParticipantRow
              key={one.userId}
              one={one}
              user={users.find(({ id }) => id === one.userId)}
              noteId={`${errors}-${index}`}
              errorOf={(field) => form.error(`participants.${index}.${field}`)}
              hasRefused={refusedAt === one.userId}
              onRefused={(refused) => setRefusedAt(refused ? one.userId : null)}
              onChange={(value) => put(one.userId, value)}
            />
          ))}
        </ul>
      )}
      {excess > 0 && (
        <p className="z-participants-warning">
          <WarningSign size={14} />
          <LiveRegion>Бюджеты участников больше общего на {formatRoubles(kopecks(excess))}</LiveRegion>
        </p>
      )}
      {all !== undefined && (
        <p id={errors} className="z-field-error">
          {all}
        </p>
      )}
      {free.length > 0 ? (
        <select
          className="z-input z-participants-add"
          aria-label="Добавить участника"
          {...(all !== undefined && { 'aria-invalid': true, 'aria-describedby': errors })}
          value=""
          onChange={(event) => {
            const userId = event.target.value;
            put(userId, { userId, budget: '', salaryType: '', salaryRate: '', cplThreshold: '' });
          }}
        >
          <option value="">Добавить участника…</option>
          {free.map(({ id, name, role }) => (
            <option key={id} value={id}>
              {name}, {roleLabels[role]}
            </option>
          ))}
        </select>
      ) : (
        participants.length === 0 && (
          <p className="z-secondary">Байеров ещё нет: добавьте их на вкладке «Сотрудники».</p>
        )
      )}
    </fieldset>
  );
};
