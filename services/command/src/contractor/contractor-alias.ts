import type { FieldConflict } from '@zakup/domain/merge';
import { contractorDecider } from '@zakup/domain/contractor/contractor.decider';
import type { DecisionSession } from '../pipeline/decision-session.ts';
import type { CommandDeps } from '../deps.ts';
import { streamOf } from '../pipeline/ids.ts';

type LoadMergedInto = (id: string) => Promise<string | undefined>;

/** Who the contractor is now: itself, or the one that its merges end at. Merges make no circle: only who is merged nowhere is merged, or received. */
const follow = async (contractorId: string, mergedInto: LoadMergedInto): Promise<string> => {
  let id = contractorId;
  for (let next = await mergedInto(id); next !== undefined; next = await mergedInto(id)) id = next;
  return id;
};

/** For deciding: everybody on the way becomes a precondition. */
export const receiverIn = (session: DecisionSession, contractorId: string): Promise<string> =>
  follow(contractorId, async (id) => (await session.load(contractorDecider, id)).state?.mergedInto);

/** A conflict over the contractor as everybody sees it: of one that was merged, who it is a part of. */
export const receiversInConflict = async (
  session: DecisionSession,
  conflict: FieldConflict,
): Promise<FieldConflict> => {
  if (conflict.field !== 'contractorId') return conflict;
  const receiver = async (value: unknown): Promise<unknown> =>
    typeof value === 'string' ? receiverIn(session, value) : value;
  const { base, theirs, mine } = conflict;
  return { ...conflict, base: await receiver(base), theirs: await receiver(theirs), mine: await receiver(mine) };
};

/** The contractor and everybody who is a part of it now. */
export const partsIn = async (session: DecisionSession, contractorId: string): Promise<ReadonlySet<string>> => {
  const parts = new Set([contractorId]);
  for (const id of parts)
    for (const { contractorId: part } of (await session.load(contractorDecider, id)).state?.received ?? [])
      parts.add(part);
  return parts;
};

/** The same row as everybody sees it: of the contractor that its own one is a part of now. */
export const withReceiver = async <Row extends { readonly contractorId: string }>(
  { cache }: Pick<CommandDeps, 'cache'>,
  licenceId: string,
  row: Row,
): Promise<Row> => {
  const contractorId = await follow(row.contractorId, async (id) => {
    const { state } = await cache.load(contractorDecider, streamOf('contractor', licenceId, id), false);
    return state?.mergedInto;
  });
  return contractorId === row.contractorId ? row : { ...row, contractorId };
};
