import { WarningSign } from '@blueprintjs/icons';
import { useOpenConflict } from './open-conflicts.ts';

/** A refusal that belongs to no single field; while it stands, not all is saved. */
export const FormProblem = ({ text }: { readonly text: string | null }) => {
  useOpenConflict(text !== null);
  if (text === null) return null;
  return (
    <p className="z-alert" role="alert" data-waits="" tabIndex={-1}>
      <WarningSign size={14} />
      {text}
    </p>
  );
};
