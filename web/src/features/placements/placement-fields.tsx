import { type ReactNode, useId } from 'react';
import { formats, topics } from '@zakup/domain/topics';
import { noCreative } from '@zakup/domain/placement/events';
import { ComboField } from '../../shared/table/combo-field.tsx';
import { acceptLeads, acceptPrice } from '../../shared/table/number-input.ts';
import { Field, TextField } from '../../shared/ui/field.tsx';
import { DayField } from '../../shared/day/day-field.tsx';
import type { FormError, PlacementField, PlacementForm } from './placement-form.ts';
import type { Choices } from './use-choices.ts';

export interface PlacementFieldsProps {
  readonly form: PlacementForm;
  readonly onChange: (change: Partial<PlacementForm>) => void;
  readonly errors: readonly FormError[];
  readonly choices: Choices;
  /** With leads and without payment: an existing placement. */
  readonly existing?: boolean;
  /** Shown below the nick. */
  readonly nickHint?: ReactNode;
}

const nickLimit = 8;

/** The fields of a placement; the same for adding and for editing on a narrow screen. */
export const PlacementFields = ({
  form,
  onChange,
  errors,
  choices,
  existing = false,
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
        <Field label="Байер" error={errorOf('buyerId')}>
          {(control) => (
            <select
              {...control}
              name="buyerId"
              className="z-input"
              value={form.buyerId}
              onChange={(event) => onChange({ buyerId: event.target.value })}
            >
              <option value="">Выберите байера</option>
              {choices.buyers.map((buyer) => (
                <option key={buyer.value} value={buyer.value}>
                  {buyer.label}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      <Field label="Ник контрагента" error={errorOf('contractor')} hint={nickHint}>
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
      <div className="z-form-row">
        <TextField
          label="Цена, ₽"
          name="price"
          value={form.price}
          inputMode="decimal"
          placeholder="0"
          error={errorOf('price')}
          onChange={(text) => {
            const price = acceptPrice(text);
            if (price !== null) onChange({ price });
          }}
        />
        <Field label="Формат" error={errorOf('format')}>
          {(control) => (
            <select
              {...control}
              name="format"
              className="z-input"
              value={form.format}
              onChange={(event) => onChange({ format: event.target.value })}
            >
              {formats.map((format) => (
                <option key={format}>{format}</option>
              ))}
            </select>
          )}
        </Field>
        {existing && (
          <TextField
            label="Приход"
            name="leads"
            value={form.leads}
            inputMode="numeric"
            error={errorOf('leads')}
            onChange={(text) => {
              const leads = acceptLeads(text);
              if (leads !== null) onChange({ leads });
            }}
          />
        )}
      </div>
      <div className="z-form-row">
        <Field label="Креатив">
          {(control) => (
            <select
              {...control}
              className="z-input"
              value={form.creativeId === '' ? noCreative : form.creativeId}
              onChange={(event) =>
                onChange({ creativeId: event.target.value === noCreative ? '' : event.target.value })
              }
            >
              {choices.creatives.map((creative) => (
                <option key={creative.value} value={creative.value}>
                  {creative.label}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label="Тематика" error={errorOf('category')}>
          {(control) => (
            <ComboField
              {...control}
              name="category"
              value={form.category}
              onChange={(category) => onChange({ category })}
              options={topics}
              label="Тематики"
              placeholder="Найти"
            />
          )}
        </Field>
      </div>
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
