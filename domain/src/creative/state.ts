import type { CreativeType } from './events.ts';

export interface Creative {
  readonly name: string;
  readonly abbreviation: string;
  readonly type: CreativeType;
  readonly notes: string;
  readonly isActive: boolean;
}
