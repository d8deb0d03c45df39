import { ConflictNotice, type ConflictWords } from './conflict-notice.tsx';
import { FormDialog, type FormDialogProps } from './form-dialog.tsx';
import type { EntityForm } from './use-entity-form.ts';

/** Adds or changes an entity: a dialog over its form, with the choice between two values where another changed one meanwhile. */
export const EntityDialog = ({
  form,
  conflict,
  problem = form.problem,
  children,
  ...dialog
}: Pick<FormDialogProps, 'title' | 'save' | 'width' | 'endsWithAnswer' | 'problem' | 'onClose' | 'children'> & {
  readonly form: EntityForm;
  /** Absent where a new entity is made and the dialog ends with it. */
  readonly conflict?: ConflictWords;
}) => (
  <FormDialog {...dialog} busy={form.busy} dirty={form.dirty} problem={problem} onSubmit={form.submit}>
    {children}
    {conflict && <ConflictNotice form={form} {...conflict} />}
  </FormDialog>
);
