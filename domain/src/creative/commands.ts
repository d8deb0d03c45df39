import type { NoData } from '../decider.ts';
import type { CreativeType } from './events.ts';

export interface CreativeChanges {
  readonly name?: string;
  readonly abbreviation?: string;
  readonly type?: CreativeType;
  readonly notes?: string;
  readonly isActive?: boolean;
}

export type CreativeCommand =
  | {
      readonly type: 'CreateCreative';
      readonly name: string;
      readonly abbreviation: string;
      readonly creativeType: CreativeType;
      readonly notes: string;
    }
  | { readonly type: 'ChangeCreative'; readonly changes: CreativeChanges }
  /** What DELETE means: the creative leaves plain lists and stays in history. */
  | { readonly type: 'DeactivateCreative' };

export type CreativeFacts = NoData;
