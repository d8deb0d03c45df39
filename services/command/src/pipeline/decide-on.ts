import type { Problem } from '@zakup/contracts/problems';
import type { Decider, DomainEvent } from '@zakup/domain/decider';
import type { Loaded } from './stream-cache.ts';
import type { TenantContext } from './tenant-context.ts';

/** The stamp that every entity of a reply carries beside its state. */
export const rowOf = <State>(
  { state, revision, createdAt, updatedAt }: Loaded<State>,
  id: string,
): State & {
  readonly id: string;
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
} => {
  if (state === null) throw new Error(`${id} has no state to answer with`);
  return { ...state, id, revision, createdAt, updatedAt };
};

/** Decides one command on one entity and emits what was accepted; the problem when it is refused. */
export const decideOn = async <State, Command, Event extends DomainEvent, Facts>(
  { session }: Pick<TenantContext, 'session'>,
  decider: Decider<State, Command, Event, Facts>,
  id: string,
  command: Command,
  facts: Facts,
): Promise<Problem | null> => {
  const { state } = await session.load(decider, id);
  const decision = decider.decide(command, state, facts);
  if (decision.kind === 'rejected') return decision.rejection;
  session.emit(decider, id, decision.events);
  return null;
};
