import { type FormEvent, type ReactNode, useEffect, useRef } from 'react';

/**
 * The form element: leaves checking to us, and puts the keyboard into the first wrong field after each refusal, ours or, later, the
 * server's; unless the person has gone on typing by then.
 */
export const CheckedForm = ({
  onSubmit,
  id,
  className = 'z-form',
  children,
}: {
  readonly onSubmit: (event: FormEvent) => void;
  readonly id?: string;
  readonly className?: string;
  readonly children: ReactNode;
}) => {
  const element = useRef<HTMLFormElement>(null);
  /** It was sent, and nothing was typed since. */
  const judged = useRef(false);
  // After each render: whatever makes a field wrong draws the form anew.
  useEffect(() => {
    if (!judged.current) return;
    const wrong = element.current?.querySelector<HTMLElement>('[aria-invalid="true"]:not(:disabled)');
    if (!wrong) return;
    judged.current = false;
    wrong.focus();
  });
  return (
    <form
      id={id}
      ref={element}
      className={className}
      noValidate
      onInput={() => {
        judged.current = false;
      }}
      onSubmit={(event) => {
        judged.current = true;
        onSubmit(event);
      }}
    >
      {children}
    </form>
  );
};
