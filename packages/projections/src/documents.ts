import type { HistoryRow } from '@zakup/contracts/history';
import type { AliasesRow, RowByKind } from '@zakup/contracts/read-models';
import type { Sums } from '@zakup/domain/analytics/sums';
import type { Position } from '@zakup/event-store/event-store';

/** Kinds of documents that are the folded stream of an entity. */
export type EntityKind = 'license' | 'user' | 'channel' | 'campaign' | 'creative' | 'contractor' | 'placement';

/** Kinds whose data is kept privately while readers must not see it. */
export type HideableKind = EntityKind | 'analytics' | 'earnings';

/** What a contractor has in one campaign, kept also while the campaign is deleted, so that its rows need not be read again. */
export type ContractorUse = Sums & { readonly days: Readonly<Record<string, number>> };

/** Where a licence stands whose events cannot be folded. */
export interface ParkedState {
  /** Its models are true up to here. */
  readonly position: Position;
  /** The first event that could not be folded. */
  readonly failedAt: Position;
  readonly reason: string;
  /** Not for want of a version that can fold it: it was told to stand still. */
  readonly halted?: boolean;
}

/** How many things a person was told, and what last: a command that goes on is told in the same one. */
export interface Inbox {
  readonly told: number;
  readonly last: { readonly commandId: string; readonly actorId: string; readonly type: string } | null;
}

interface PrivateData {
  /** id = `<contractor>:<campaign>`. */
  contractor_use: ContractorUse;
  /** id = licence. */
  aliases: AliasesRow;
  /** id = licence. */
  parked: ParkedState;
  /** id = person. */
  inbox: Inbox;
  /** id = position, of sixteen digits. */
  history: HistoryRow;
}

/** Every kind of document that the projector writes; private ones are in no scope. */
export type DocumentData = RowByKind & PrivateData & { [Kind in HideableKind as `removed_${Kind}`]: RowByKind[Kind] };
export type DocumentKind = keyof DocumentData;

export interface DocumentKey<Kind extends DocumentKind> {
  readonly kind: Kind;
  readonly id: string;
  readonly licenceId: string;
}
