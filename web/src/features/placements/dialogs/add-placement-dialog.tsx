import { today } from '@zakup/domain/calendar';
import { type FormEvent, useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { VerdictNote } from '../../../shared/contractor/verdict-note.tsx';
import { useFormKey } from '../../../shared/form/use-form-key.ts';
import { roubles } from '../../../shared/money/roubles.ts';
import { LiveRegion } from '../../../shared/toasts/live-region.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { ContractorHint } from './contractor-hint.tsx';
import { addBody, formErrors, type FormError, type PlacementForm } from './placement-form.ts';
import { PlacementFields } from './placement-fields.tsx';
import { useNewPlacement } from './use-new-placement.ts';
import { useChoices } from '../rows/use-choices.ts';

export interface AddPlacementDialogProps {
  readonly campaignId: string | null;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** The buyer the form begins with: the person when they buy, else nobody. */
  readonly buyerId: string;
  readonly onAdd: (form: PlacementForm) => void;
  /** Adds one while the dialog stays for the next. Resolves to false when it was refused. */
  readonly onAddMore: (form: PlacementForm) => Promise<boolean>;
  readonly onClose: () => void;
}

const focusField = (form: HTMLElement | null, field: string | null | undefined): void =>
  form?.querySelector<HTMLElement>(`[name="${field}"]`)?.focus();

/** How long the last deal is waited for, in ms, once the form is sent: without a line it may never come. */
const dealPatience = 2000;

/** All fields of a new placement, checked in the order of ADD-1. */
export const AddPlacementDialog = ({
  campaignId,
  now,
  buyerId,
  onAdd,
  onAddMore,
  onClose,
}: AddPlacementDialogProps) => {
  const choices = useChoices();
  const day = today(now());
  const { form, dirty, contractor, lastDeal, isDealComing, hints, round, change, next } = useNewPlacement(
    day,
    choices.buyers.some((buyer) => buyer.value === buyerId) ? buyerId : '',
  );
  const [errors, setErrors] = useState<readonly FormError[]>([]);
  const [added, setAdded] = useState<{ readonly text: string; readonly round: number } | null>(null);
  const body = useRef<HTMLFormElement>(null);
  const sent = useRef(false);

  /** The keyboard begins in the nick: the day is today's for the most part. */
  const begin = useCallback((element: HTMLFormElement | null) => {
    body.current = element;
    focusField(element, 'contractor');
  }, []);
  useLayoutEffect(() => {
    if (round > 0) focusField(body.current, 'contractor');
  }, [round]);
  // As if it had stood there when they came: what they type takes its place.
  const selectProposed = useEffectEvent(() => {
    const { activeElement } = document;
    if (activeElement instanceof HTMLInputElement && activeElement.name in hints) activeElement.select();
  });
  useLayoutEffect(() => {
    if (lastDeal !== null) selectProposed();
  }, [lastDeal]);

  const isRight = (): boolean => {
    const found = formErrors(campaignId, form);
    setErrors(found);
    // After the texts are painted, so that the first wrong field is the one a person hears of.
    if (found.length > 0) requestAnimationFrame(() => focusField(body.current, found[0]?.field));
    return found.length === 0;
  };
  const add = (): void => {
    if (sent.current || !isRight()) return;
    sent.current = true;
    onAdd(form);
  };
  const addMore = async (): Promise<void> => {
    if (sent.current || !isRight()) return;
    const taken = onAddMore(form);
    const { contractor: nick, price } = addBody('', form);
    setAdded({ text: `Добавлено: ${nick}, ${roubles(price)}`, round });
    next();
    if (!(await taken)) setAdded((last) => (last?.round === round ? null : last));
  };
  const save = (how: 'once' | 'more'): void => (how === 'once' ? add() : void addMore());
  /** Asked for before the last deal is there: it is saved with what that proposes. */
  const [asked, setAsked] = useState<'once' | 'more' | null>(null);
  const saveAsked = useEffectEvent(() => {
    if (asked !== null) save(asked);
    setAsked(null);
  });
  useEffect(() => {
    if (asked === null) return undefined;
    const timer = setTimeout(() => saveAsked(), isDealComing ? dealPatience : 0);
    return () => clearTimeout(timer);
  }, [asked, isDealComing]);
  const saveWithDeal = (how: 'once' | 'more'): void => (isDealComing ? setAsked(how) : save(how));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    saveWithDeal('once');
  };
  useFormKey(body, () => saveWithDeal('more'));
  // What is proposed meanwhile is no longer missing.
  const shownErrors = errors.filter(({ field }) => field === null || !(field in hints));
  const [firstError] = shownErrors;

  return (
    <Dialog
      title="Добавить размещение"
      width={520}
      onClose={onClose}
      dirty={dirty}
      closeOnOutsideClick={false}
      footer={
        <>
          <Button onClick={onClose}>Отмена</Button>
          <Button
            hotkey="Ctrl ↵"
            aria-keyshortcuts="Control+Enter"
            // The second click of two would find the next one empty.
            onClick={({ detail }) => detail < 2 && saveWithDeal('more')}
          >
            Добавить ещё
          </Button>
          <Button look="primary" type="submit" form="add-placement">
            Добавить размещение
          </Button>
        </>
      }
    >
      <form id="add-placement" ref={begin} noValidate aria-busy={asked !== null} onSubmit={submit}>
        {added && (
          <p className="z-form-added">
            <LiveRegion key={added.round}>{added.text}</LiveRegion>
          </p>
        )}
        <PlacementFields
          key={round}
          form={form}
          onChange={(changed) => {
            change(changed);
            setErrors(errors.filter(({ field }) => field === null || !(field in changed)));
          }}
          errors={shownErrors}
          choices={choices}
          hints={hints}
          nickHint={
            <>
              {contractor?.verdict && (
                <p className="z-verdict">
                  <LiveRegion>
                    <VerdictNote verdict={contractor.verdict} />
                  </LiveRegion>
                </p>
              )}
              <ContractorHint contractor={contractor} price={form.price} buyerId={form.buyerId} today={day} />
            </>
          }
        />
        <p role="alert" className={firstError?.field === null ? 'z-form-alert' : 'z-visually-hidden'}>
          {firstError?.message}
        </p>
      </form>
    </Dialog>
  );
};
