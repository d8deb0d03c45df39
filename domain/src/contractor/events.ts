import type { DomainEvent, NoData } from '../decider.ts';
import type { ContractorVerdict } from './state.ts';

export type ContractorEvent =
  | DomainEvent<
      'ContractorCreated',
      {
        /** Canonical, lower case, without `@`. */
        readonly nick: string;
        /** `@` + the nick as first spelled. */
        readonly adminUsername: string;
        readonly channelName: string;
        readonly category: string;
        /** Made on the fly by a placement. */
        readonly automatic: boolean;
      }
    >
  | DomainEvent<'ContractorRenamed', { readonly nick: string; readonly adminUsername: string }>
  | DomainEvent<'ContractorChannelNameChanged', { readonly channelName: string }>
  | DomainEvent<'ContractorCategoryChanged', { readonly category: string }>
  | DomainEvent<'ContractorDeactivated', NoData>
  | DomainEvent<'ContractorReactivated', NoData>
  /** Put on the white or the black list, or taken off (null). */
  | DomainEvent<'ContractorVerdictChanged', { readonly verdict: ContractorVerdict | null }>
  /** The author's id and the instant are the event's own, unless the note came back after it was removed. */
  | DomainEvent<
      'ContractorNoteAdded',
      {
        readonly noteId: string;
        readonly note: string;
        readonly authorName: string;
        readonly authorId?: string;
        /** UTC instant, ISO 8601. */
        readonly createdAt?: string;
      }
    >
  | DomainEvent<'ContractorNoteRemoved', { readonly noteId: string }>
  /** From now on it is a part of another one, which finds its nicks and its placements. */
  | DomainEvent<'ContractorMerged', { readonly intoId: string }>
  /** Its merge was undone. */
  | DomainEvent<'ContractorSeparated', { readonly fromId: string }>
  /** Another one was merged into it; the notes it brought are added by events of their own. */
  | DomainEvent<
      'ContractorReceived',
      {
        readonly contractorId: string;
        /** Canonical nicks that the other one held. */
        readonly nicks: readonly string[];
      }
    >
  /** The merge of another one into it was undone. */
  | DomainEvent<'ContractorReturned', { readonly contractorId: string }>;
