import type { CommandIssuer } from './command-issuer.ts';
import { batchIdOf, type CommandDraft, type Entry } from './entry.ts';
import type { EntryKeeper } from './entry-keeper.ts';
import type { EntrySender } from './entry-sender.ts';

export interface ResolutionsDeps {
  readonly keeper: EntryKeeper;
  readonly sender: EntrySender;
  readonly issuer: CommandIssuer;
  readonly clock: { readonly now: () => number };
}

/** It makes what its own id names; what was a part of a batch makes another one when it goes alone. */
const isMakingAlone = ({ creates, id }: Entry): boolean => creates === true && batchIdOf(id) === id;

/** What a person does with a command that was refused or is in conflict; of any other nothing happens. */
export const resolutions = ({ keeper, sender, issuer, clock }: ResolutionsDeps) => {
  const unresolved = (id: string): Entry | null => {
    const entry = keeper.entries.get(id) ?? keeper.entries.get(batchIdOf(id));
    return entry && (entry.state.kind === 'conflict' || entry.state.kind === 'rejected') ? entry : null;
  };
  const dismiss = (id: string): void => {
    const entry = unresolved(id);
    if (entry) sender.drop(entry.id);
  };

  return {
    dismiss,
    takeTheirs: dismiss,
    keepMine(id: string): void {
      const entry = unresolved(id);
      if (entry?.state.kind === 'conflict') issuer.reissue(entry, { baseRevision: entry.state.revision });
    },
    tryAgain(id: string): void {
      const entry = unresolved(id);
      if (entry === null) return;
      if (!isMakingAlone(entry)) return issuer.reissue(entry, {});
      // A refusal leaves its id free, and what was carried out in spite of the answer is answered by the log.
      if (issuer.refusalOf(entry) === null) sender.enqueue({ ...entry, state: { kind: 'pending' } });
    },
    revise(id: string, body: CommandDraft['body']): void {
      const entry = unresolved(id);
      if (entry === null) return;
      if (!isMakingAlone(entry)) return issuer.reissue(entry, { body });
      sender.enqueue({ ...entry, body, issuedAt: clock.now(), state: { kind: 'pending' } });
    },
  };
};
