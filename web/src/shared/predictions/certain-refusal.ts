import type { CommandDraft } from '../outbox/entry.ts';
import { readPlacementIntent } from './placement-intent.ts';

/** A refusal that no state of the server could turn into anything else. */
export interface CertainRefusal {
  readonly code: 'VALIDATION_FAILED';
  readonly reason: string;
}

/** What is wrong with the values of a command themselves; `null` = the server has the say. */
export const certainRefusal = (draft: CommandDraft): CertainRefusal | null => {
  const read = readPlacementIntent(draft);
  return read.kind === 'refused' ? { code: 'VALIDATION_FAILED', reason: read.reason } : null;
};
