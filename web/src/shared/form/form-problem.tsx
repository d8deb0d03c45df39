import { WarningSign } from '@blueprintjs/icons';

/** A refusal that belongs to no single field. */
export const FormProblem = ({ text }: { readonly text: string | null }) =>
  text === null ? null : (
    <p className="z-alert" role="alert">
      <WarningSign size={14} />
      {text}
    </p>
  );
