import type { Person } from '@zakup/domain/permissions';
import type { Request } from 'express';
import type { DecisionSession } from './decision-session.ts';

/** What a command of a signed-in person is decided with. */
export interface TenantContext {
  readonly session: DecisionSession;
  /** As the streams of this attempt tell; their revisions are preconditions of the append. */
  readonly person: Person;
  readonly params: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly query: Request['query'];
  /** UTC milliseconds. */
  readonly now: number;
  /** Id of a new entity: the same for each repeat of the command. */
  readonly newId: (purpose: string) => string;
}
