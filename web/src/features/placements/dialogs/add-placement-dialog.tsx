import { today } from '@zakup/domain/calendar';
import { parseNick } from '@zakup/domain/nick';
import { type FormEvent, useRef, useState } from 'react';
import { useDocs } from '../../../shared/replica/replica-context.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { ContractorHint } from './contractor-hint.tsx';
import { emptyForm, formErrors, type FormError, type PlacementForm } from './placement-form.ts';
import { PlacementFields } from './placement-fields.tsx';
import { useChoices } from '../rows/use-choices.ts';

export interface AddPlacementDialogProps {
  readonly campaignId: string | null;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** The buyer the form begins with: the person when they buy, else nobody. */
  readonly buyerId: string;
  readonly onAdd: (form: PlacementForm) => void;
  readonly onClose: () => void;
}

/** All fields of a new placement, checked in the order of ADD-1. */
export const AddPlacementDialog = ({ campaignId, now, buyerId, onAdd, onClose }: AddPlacementDialogProps) => {
  const choices = useChoices();
  const contractors = useDocs('contractor');
  const [first] = useState(() => ({
    ...emptyForm(today(now())),
    buyerId: choices.buyers.some((buyer) => buyer.value === buyerId) ? buyerId : '',
  }));
  const [form, setForm] = useState<PlacementForm>(first);
  const [errors, setErrors] = useState<readonly FormError[]>([]);
  const body = useRef<HTMLFormElement>(null);
  const sent = useRef(false);

  const nick = parseNick(form.contractor);
  const contractor =
    nick.kind === 'nick'
      ? (contractors.find((one) => one.adminUsername.slice(1).toLowerCase() === nick.nick) ?? null)
      : null;

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (sent.current) return;
    const found = formErrors(campaignId, form);
    setErrors(found);
    if (found.length === 0) {
      sent.current = true;
      onAdd(form);
      return;
    }
    // After the texts are painted, so that the first wrong field is the one a person hears of.
    requestAnimationFrame(() => body.current?.querySelector<HTMLElement>(`[name="${found[0]?.field}"]`)?.focus());
  };
  const [firstError] = errors;

  return (
    <Dialog
      title="Добавить размещение"
      width={520}
      onClose={onClose}
      dirty={form !== first}
      closeOnOutsideClick={false}
      footer={
        <>
          <Button onClick={onClose}>Отмена</Button>
          <Button look="primary" type="submit" form="add-placement">
            Добавить размещение
          </Button>
        </>
      }
    >
      <form id="add-placement" ref={body} noValidate onSubmit={submit}>
        <PlacementFields
          form={form}
          onChange={(change) => {
            setForm({ ...form, ...change });
            const changed = new Set(Object.keys(change));
            setErrors(errors.filter((error) => error.field === null || !changed.has(error.field)));
          }}
          errors={errors}
          choices={choices}
          nickHint={
            <ContractorHint contractor={contractor} price={form.price} buyerId={form.buyerId} today={today(now())} />
          }
        />
        <p role="alert" className={firstError?.field === null ? 'z-form-alert' : 'z-visually-hidden'}>
          {firstError?.message}
        </p>
      </form>
    </Dialog>
  );
};
