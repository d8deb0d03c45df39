import type { DomainEvent, NoData } from '../decider.ts';

export type CreativeType = 'TEXT_ONLY' | 'TEXT_WITH_IMAGE' | 'TEXT_WITH_VIDEO';

export type CreativeEvent =
  | DomainEvent<
      'CreativeCreated',
      { readonly name: string; readonly abbreviation: string; readonly type: CreativeType; readonly notes: string }
    >
  | DomainEvent<'CreativeRenamed', { readonly name: string }>
  | DomainEvent<'CreativeAbbreviationChanged', { readonly abbreviation: string }>
  | DomainEvent<'CreativeTypeChanged', { readonly type: CreativeType }>
  | DomainEvent<'CreativeNotesChanged', { readonly notes: string }>
  | DomainEvent<'CreativeDeactivated', NoData>
  | DomainEvent<'CreativeReactivated', NoData>;
