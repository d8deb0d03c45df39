import { type ReactNode, useEffect, useRef } from 'react';
import type { EntityForm } from './use-entity-form.ts';

/** The form element: leaves checking to us, and puts the keyboard into the first wrong field after each refusal. */
export const CheckedForm = ({
  form,
  id,
  className = 'z-form',
  children,
}: {
  readonly form: EntityForm;
  readonly id?: string;
  readonly className?: string;
  readonly children: ReactNode;
}) => {
  const element = useRef<HTMLFormElement>(null);
  const { refusals } = form;
  useEffect(() => {
    if (refusals > 0) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [refusals]);
  return (
    <form id={id} ref={element} className={className} noValidate onSubmit={form.submit}>
      {children}
    </form>
  );
};
