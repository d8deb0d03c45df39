import { Dialog as BlueprintDialog } from '@blueprintjs/core';
import { Cross } from '@blueprintjs/icons';
import { type ReactNode, useId, useState } from 'react';
import '../theme/blueprint.css';
import { Button } from './button.tsx';
import { useFocusBack } from './use-focus-back.ts';
import { useEscape } from './use-escape.ts';

export interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  /** True while something typed would be lost: closing then asks first. */
  readonly dirty?: boolean;
  readonly children: ReactNode;
  /** Buttons, the main one last. */
  readonly footer?: ReactNode;
  /** 462 unless said otherwise, never wider than the window. */
  readonly width?: number;
  /** Default true. */
  readonly isOpen?: boolean;
  /** False keeps a click beside the dialog from closing it. Default true. */
  readonly closeOnOutsideClick?: boolean;
}

/** The keyboard begins in the first field, unless a field asked for it; a dialog without fields has it whole. */
const focusFirstField = (body: HTMLElement | null): void => {
  if (!body || body.contains(document.activeElement)) return;
  const field = body.querySelector<HTMLElement>(
    'input:not([type="hidden"], [hidden], :disabled), select:not(:disabled), textarea:not(:disabled)',
  );
  field?.focus({ preventScroll: true });
};

/** Traps focus, gives it back to the opener, closes by Escape, «Закрыть» and a click beside it. */
export const Dialog = ({
  title,
  onClose,
  dirty = false,
  children,
  footer,
  width = 462,
  isOpen = true,
  closeOnOutsideClick = true,
}: DialogProps) => {
  const { leave, question } = useDiscardQuestion(dirty);
  useFocusBack();
  const titleId = useId();
  const close = (): void => leave(onClose);
  useEscape(titleId, close);
  return (
    <BlueprintDialog
      isOpen={isOpen}
      onClose={close}
      canOutsideClickClose={closeOnOutsideClick}
      aria-labelledby={titleId}
      transitionDuration={120}
      style={{ width: `min(${width}px, calc(100vw - 32px))` }}
      className="z-dialog"
    >
      <div className="z-dialog-head">
        <h2 id={titleId}>{title}</h2>
        <Button look="plain" icon={<Cross size={16} />} aria-label="Закрыть" onClick={close} />
      </div>
      <div className="z-dialog-body" ref={focusFirstField}>
        {children}
      </div>
      {footer !== undefined && <div className="z-dialog-foot">{footer}</div>}
      {question}
    </BlueprintDialog>
  );
};

export interface ConfirmDialogProps {
  readonly title: string;
  readonly children?: ReactNode;
  /** Word on the button that does it. */
  readonly confirm: string;
  readonly cancel?: string;
  readonly danger?: boolean;
  /** While true both buttons wait. */
  readonly busy?: boolean;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
}

/** One question, two buttons; Escape cancels. */
export const ConfirmDialog = ({
  title,
  children,
  confirm,
  cancel = 'Отмена',
  danger = false,
  busy = false,
  onConfirm,
  onCancel,
}: ConfirmDialogProps) => {
  useFocusBack();
  const titleId = useId();
  useEscape(titleId, onCancel);
  return (
    <BlueprintDialog
      isOpen
      onClose={onCancel}
      aria-labelledby={titleId}
      role="alertdialog"
      transitionDuration={120}
      style={{ width: 'min(400px, calc(100vw - 32px))' }}
      className="z-dialog"
    >
      <div className="z-dialog-head">
        <h2 id={titleId}>{title}</h2>
      </div>
      {children !== undefined && <div className="z-dialog-body">{children}</div>}
      <div className="z-dialog-foot">
        <Button onClick={onCancel} disabled={busy}>
          {cancel}
        </Button>
        <Button look={danger ? 'danger' : 'primary'} onClick={onConfirm} disabled={busy}>
          {confirm}
        </Button>
      </div>
    </BlueprintDialog>
  );
};

/**
 * Asks before what was typed is thrown away. `leave` goes on at once where nothing is `dirty`, else after «Закрыть»; `question` is to be
 * drawn.
 */
export const useDiscardQuestion = (
  dirty: boolean,
): { readonly leave: (go: () => void) => void; readonly question: ReactNode } => {
  const [wanted, setWanted] = useState<{ readonly go: () => void } | null>(null);
  return {
    leave: (go) => {
      if (dirty) setWanted({ go });
      else go();
    },
    question: wanted !== null && (
      <ConfirmDialog
        title="Закрыть без сохранения?"
        confirm="Закрыть"
        cancel="Вернуться"
        onConfirm={() => {
          setWanted(null);
          wanted.go();
        }}
        onCancel={() => setWanted(null)}
      >
        То, что вы ввели, пропадёт.
      </ConfirmDialog>
    ),
  };
};
