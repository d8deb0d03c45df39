import { type ReactNode, useId } from 'react';
import { formats, topics } from '@zakup/domain/topics';
import { noCreative } from '@zakup/domain/placement/events';
import { ComboField } from '../../../shared/ui/combo-field.tsx';
import type { ChoiceOption } from '../../../shared/table/grid-column.ts';
import { NumberField } from '../../../shared/form/number-field.tsx';
import { acceptPrice } from '../../../shared/form/number-input.ts';
import { Field, TextField } from '../../../shared/ui/field.tsx';
import { SelectField, type SelectOption } from '../../../shared/ui/select-field.tsx';
import { DayField } from '../../../shared/day/day-field.tsx';
import type { FormError, PlacementField, PlacementForm } from './placement-form.ts';
import type { Choices } from '../rows/use-choices.ts';

export interface PlacementFieldsProps {
  readonly form: PlacementForm;
  readonly onChange: (change: Partial<PlacementForm>) => void;
  readonly errors: readonly FormError[];
  readonly choices: Choices;
  /** With leads and without payment: an existing placement. */
  readonly existing?: boolean;
  /** Where a value comes from that nobody entered. */
  readonly hints?: Partial<Record<PlacementField, string>>;
  /** Shown below the nick. */
  readonly nickHint?: ReactNode;
}

const nickLimit = 8;

const asOption = ({ value, label }: ChoiceOption): SelectOption => [value, label];

/** The fields of a placement; the same for adding and for editing on a narrow screen. */
export const PlacementFields = ({
  form,
  onChange,
  errors,
  choices,
  existing = false,
  hints = {},
  nickHint,
}: PlacementFieldsProps) => {
  const payment = useId();
  const errorOf = (field: PlacementField): string | null =>
    errors.find((error) => error.field === field)?.message ?? null;
  return (
    <div className="z-form">
      <div className="z-form-row">
        <Field label="Дата" error={errorOf('date')}>
          {(control) => <DayField {...control} name="date" value={form.date} onChange={(date) => onChange({ date })} />}
        </Field>
        <SelectField
          label="Байер"
          name="buyerId"
          error={errorOf('buyerId')}
          value={form.buyerId}
          options={[['', 'Выберите байера'], ...choices.buyers.map(asOption)]}
          {...(choices.buyers.length === 0 && {
            hint: 'Байеров пока нет: их добавляют в разделе «Настройки → Сотрудники»',
          })}
          onChange={(buyerId) => onChange({ buyerId })}
        />
      </div>
      <Field label="Ник контрагента" error={errorOf('contractor')}>
        {(control) => (
          <ComboField
            {...control}
            name="contractor"
            value={form.contractor}
            onChange={(contractor) => onChange({ contractor })}
            options={choices.nicks}
            limit={nickLimit}
            label="Известные контрагенты"
            placeholder="@nick или ссылка t.me"
            maxLength={200}
          />
        )}
      </Field>
      {nickHint}
      <div className="z-form-row">
        <NumberField
          label="Цена, ₽"
          name="price"
          value={form.price}
          inputMode="decimal"
          placeholder="0"
          error={errorOf('price')}
          hint={hints.price}
          {...(!existing && { accept: acceptPrice })}
          onChange={(price) => onChange({ price })}
        />
        <SelectField
          label="Формат"
          name="format"
          error={errorOf('format')}
          hint={hints.format}
          value={form.format}
          options={formats.map((format) => [format, format])}
          onChange={(format) => onChange({ format })}
        />
        {existing && (
          <NumberField
            label="Приход"
            name="leads"
            value={form.leads}
            inputMode="numeric"
            error={errorOf('leads')}
            onChange={(leads) => onChange({ leads })}
          />
        )}
      </div>
      <div className="z-form-row">
        <SelectField
          label="Креатив"
          value={form.creativeId === '' ? noCreative : form.creativeId}
          options={choices.creatives.map(asOption)}
          onChange={(creativeId) => onChange({ creativeId: creativeId === noCreative ? '' : creativeId })}
        />
        <Field label="Тематика" error={errorOf('category')} hint={hints.category}>
          {(control) => (
            <ComboField
              {...control}
              name="category"
              value={form.category}
              onChange={(category) => onChange({ category })}
              options={topics}
              closed
              label="Тематики"
              placeholder="Найти"
            />
          )}
        </Field>
      </div>
      <Field label="Комментарий" error={errorOf('comment')}>
        {(control) => (
          <textarea
            {...control}
            className="z-input"
            name="comment"
            rows={2}
            value={form.comment}
            onChange={(event) => onChange({ comment: event.target.value })}
          />
        )}
      </Field>
      <TextField
        label="Ссылка на пост"
        name="postUrl"
        inputMode="url"
        placeholder="t.me/…"
        error={errorOf('postUrl')}
        value={form.postUrl}
        onChange={(postUrl) => onChange({ postUrl })}
      />
      {!existing && (
        <fieldset className="z-payment-choice" aria-labelledby={payment}>
          <legend id={payment}>Статус оплаты</legend>
          {(['unpaid', 'paid'] as const).map((status) => (
            <label key={status}>
              <input
                type="radio"
                name={payment}
                checked={form.paymentStatus === status}
                onChange={() => onChange({ paymentStatus: status })}
              />
              {status === 'paid' ? 'Оплачено' : 'Не оплачено'}
            </label>
          ))}
        </fieldset>
      )}
    </div>
  );
};
