import { WarningSign } from '@blueprintjs/icons';
import type { ContractorWire } from '@zakup/contracts/wire-entities';
import { contractorAnalyticsFailed, messages } from '@zakup/domain/messages';
import { VerdictNote } from '../../shared/contractor/verdict-note.tsx';
import { mergedText } from '../../shared/contractor/use-receiver.ts';
import { LiveRegion } from '../../shared/toasts/live-region.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { contractorWarnings } from './contractor-check.ts';

/** Instead of what is not here yet. */
export const ContractorLoading = () => <p className="z-contractor-none">{messages.contractorLoading}</p>;

/** On which list it stands and why, what is doubtful about its data, and why it could not be loaded. */
export const ContractorProblems = ({
  contractor,
  problem,
}: {
  readonly contractor: ContractorWire | null;
  readonly problem: string | null;
}) => {
  const warnings = contractor === null ? [] : contractorWarnings(contractor);
  return (
    <>
      {contractor?.verdict && (
        <p className="z-contractor-verdict">
          <VerdictNote verdict={contractor.verdict} />
        </p>
      )}
      {warnings.length > 0 && (
        <p className="z-contractor-warning">
          <WarningSign size={14} />
          Проверьте данные: {warnings.join(', ')}
        </p>
      )}
      {problem !== null && (
        <p className="z-alert z-contractor-problem" role="alert">
          <WarningSign size={14} />
          {contractorAnalyticsFailed(problem)}
        </p>
      )}
    </>
  );
};

/** Over what is kept for the note that is being written: where it went, and the way there. */
export const MergedNotice = ({
  nick,
  receiver,
  busy,
  onLead,
}: {
  readonly nick: string | null;
  /** Null = it was merged with none. */
  readonly receiver: ContractorWire | null;
  /** The note is on its way. */
  readonly busy: boolean;
  readonly onLead: (contractorId: string) => void;
}) => (
  <LiveRegion className="z-contractor-warning">
    <WarningSign size={14} />
    {receiver === null ? (
      messages.contractorNotFound
    ) : (
      <>
        {`${mergedText(nick, receiver)}. Заметка, которую вы пишете, перейдёт туда.`}
        <Button disabled={busy} onClick={() => onLead(receiver.id)}>
          Открыть {receiver.adminUsername}
        </Button>
      </>
    )}
  </LiveRegion>
);

/** Instead of a contractor that is not there: at that moment a part of another one, in no list, or not loaded yet. */
export const AbsentContractor = ({
  nick,
  receiver,
  isMissing,
  isLoading,
  onLead,
}: {
  readonly nick: string | null;
  /** Of which it is a part at that moment; null = it is not, or nobody looks at another moment. */
  readonly receiver: ContractorWire | null;
  readonly isMissing: boolean;
  readonly isLoading: boolean;
  readonly onLead: (contractorId: string) => void;
}) => (
  <div className="z-contractor-body">
    {receiver !== null ? (
      <div className="z-contractor-none">
        <p>{`К этому моменту ${mergedText(nick, receiver)}.`}</p>
        <Button onClick={() => onLead(receiver.id)}>Открыть {receiver.adminUsername}</Button>
      </div>
    ) : isMissing ? (
      <p className="z-contractor-none">{messages.contractorNotFound}</p>
    ) : (
      isLoading && <ContractorLoading />
    )}
  </div>
);
