import { type FormEvent, type ReactNode, useId } from 'react';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { CheckedForm } from './checked-form.tsx';
import { FormProblem } from './form-problem.tsx';

export interface FormDialogProps {
  readonly title: string;
  /** Word on the button that sends the form. */
  readonly save: string;
  /** The same while that is under way. */
  readonly saving?: string;
  readonly danger?: boolean;
  /** Nothing can be sent yet. */
  readonly disabled?: boolean;
  /** While true both buttons wait. */
  readonly busy?: boolean;
  /** While busy nothing more can be typed: the dialog ends with the answer, and could not save it. */
  readonly endsWithAnswer?: boolean;
  /** True while something typed would be lost: closing then asks first, «Отмена» excepted. */
  readonly dirty: boolean;
  /** Default: as long as nothing is typed. */
  readonly closeOnOutsideClick?: boolean;
  readonly width?: number;
  /** A refusal that belongs to no single field. */
  readonly problem?: string | null;
  readonly onSubmit: (event: FormEvent) => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A dialog that is one form: its fields, what is wrong with it, «Отмена» and the button that sends it. */
export const FormDialog = ({
  save,
  saving = 'Сохранение…',
  danger = false,
  disabled = false,
  busy = false,
  endsWithAnswer = false,
  dirty,
  closeOnOutsideClick = !dirty,
  problem = null,
  onSubmit,
  onClose,
  children,
  ...dialog
}: FormDialogProps) => {
  const formId = useId();
  return (
    <Dialog
      {...dialog}
      onClose={onClose}
      dirty={dirty}
      closeOnOutsideClick={closeOnOutsideClick}
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            Отмена
          </Button>
          <Button look={danger ? 'danger' : 'primary'} type="submit" form={formId} disabled={busy || disabled}>
            {busy ? saving : save}
          </Button>
        </>
      }
    >
      <CheckedForm id={formId} onSubmit={onSubmit}>
        {endsWithAnswer ? (
          <fieldset className="z-form-closable" disabled={busy}>
            {children}
          </fieldset>
        ) : (
          children
        )}
        <FormProblem text={problem} />
      </CheckedForm>
    </Dialog>
  );
};
