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
          {participants.map((one, index) => {
            const user = users.find(({ id }) => id === one.userId);
            const name = user?.name ?? 'Неизвестный сотрудник';
            const error = (field: string): string | undefined => form.error(`participants.${index}.${field}`);
            const wrong = error('budget') ?? error('salaryType') ?? error('salaryRate') ?? error('cplThreshold');
            const noteId = `${errors}-${index}`;
            const oneValue = {
              ...singleValuePaste(() => setRefusedAt(one.userId)),
              onFocus: () => setRefusedAt(null),
            };
            const judged = (field: string) =>
              error(field) === undefined ? {} : ({ 'aria-invalid': true, 'aria-describedby': noteId } as const);
            return (
              <li key={one.userId}>
                <span className="z-settings-name">
                  <b>{name}</b>
                  {user && <small className="z-secondary">{roleLabels[user.role]}</small>}
                </span>
                <label>
                  <span>Бюджет, ₽</span>
                  <input
                    className="z-input z-right"
                    inputMode="decimal"
                    aria-label={`Бюджет, ₽: ${name}`}
                    {...judged('budget')}
                    value={one.budget}
                    {...oneValue}
                    onChange={(event) => put(one.userId, { ...one, budget: event.target.value })}
                  />
                </label>
                <label>
                  <span>Схема</span>
                  <select
                    className="z-input"
                    aria-label={`Схема: ${name}`}
                    {...judged('salaryType')}
                    value={one.salaryType}
                    onChange={(event) => put(one.userId, { ...one, salaryType: event.target.value })}
                  >
                    {schemeOptions('По карточке', one.salaryType).map(([scheme, label]) => (
                      <option key={scheme} value={scheme}>
                        {label}
                      </option>
                    ))}
                  </select>
                </label>
                <label>
                  <span>Ставка, %</span>
                  <input
                    className="z-input z-right"
                    inputMode="decimal"
                    aria-label={`Ставка, %: ${name}`}
                    {...judged('salaryRate')}
                    disabled={one.salaryType === ''}
                    value={one.salaryType === '' ? '' : one.salaryRate}
                    {...oneValue}
                    onChange={(event) => put(one.userId, { ...one, salaryRate: event.target.value })}
                  />
                </label>
                <label>
                  <span>Порог CPL, ₽</span>
                  <input
                    className="z-input z-right"
                    inputMode="decimal"
                    aria-label={`Порог CPL, ₽: ${name}`}
                    {...judged('cplThreshold')}
                    disabled={one.salaryType !== 'performance'}
                    value={one.salaryType === 'performance' ? one.cplThreshold : ''}
                    {...oneValue}
                    onChange={(event) => put(one.userId, { ...one, cplThreshold: event.target.value })}
                  />
                </label>
                <Button
                  look="plain"
                  icon={<Cross size={14} />}
                  aria-label={`Убрать: ${name}`}
                  onClick={() => put(one.userId, null)}
                />
                {refusedAt === one.userId && (
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
          })}
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
