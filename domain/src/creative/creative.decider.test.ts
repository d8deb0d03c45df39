import { describe, expect, it } from 'vitest';
import { accept, reject, rejectFields } from '../decider.ts';
import { messages } from '../messages.ts';
import { given } from '../testing/given.ts';
import { creativeDecider } from './creative.decider.ts';
import type { CreativeEvent } from './events.ts';

const creative = given(creativeDecider);
const created: CreativeEvent = {
  type: 'CreativeCreated',
  data: { name: 'Кот', abbreviation: 'К1', type: 'TEXT_ONLY', notes: '' },
};
const deactivated: CreativeEvent = { type: 'CreativeDeactivated', data: {} };
const create = {
  type: 'CreateCreative',
  name: ' Кот ',
  abbreviation: ' К1 ',
  creativeType: 'TEXT_ONLY',
  notes: '',
} as const;

describe('creative', () => {
  it('CRE-1 is created active, with trimmed names, once', () => {
    expect(creative().when(create, {})).toEqual(accept(created));
    expect(creative(created).state?.isActive).toBe(true);
    expect(creative(created).when(create, {})).toEqual(reject('DUPLICATE', messages.alreadyExists));
  });

  it('CRE-2 tells all that is wrong with it, the name first', () => {
    const refused = creative().when({ ...create, name: '', notes: 'x'.repeat(2001) }, {});
    expect(refused).toEqual(
      rejectFields(
        { pointer: '/name', detail: messages.nameInvalid },
        { pointer: '/notes', detail: messages.textTooLong },
      ),
    );
  });

  it('CRE-3 changes by one event a member and appends nothing for what is already there', () => {
    const changes = { name: 'Пёс', abbreviation: 'П', type: 'TEXT_WITH_VIDEO', notes: 'да', isActive: false } as const;
    expect(creative(created).when({ type: 'ChangeCreative', changes }, {})).toEqual(
      accept<CreativeEvent>(
        { type: 'CreativeRenamed', data: { name: 'Пёс' } },
        { type: 'CreativeAbbreviationChanged', data: { abbreviation: 'П' } },
        { type: 'CreativeTypeChanged', data: { type: 'TEXT_WITH_VIDEO' } },
        { type: 'CreativeNotesChanged', data: { notes: 'да' } },
        deactivated,
      ),
    );
    const same = { name: 'Кот', abbreviation: 'К1', type: 'TEXT_ONLY', notes: '', isActive: true } as const;
    expect(creative(created).when({ type: 'ChangeCreative', changes: same }, {})).toEqual(accept());
  });

  it('CRE-4 is deactivated when deleted, once, and comes back by isActive', () => {
    expect(creative(created).when({ type: 'DeactivateCreative' }, {})).toEqual(accept(deactivated));
    expect(creative(created, deactivated).when({ type: 'DeactivateCreative' }, {})).toEqual(
      reject('NOT_FOUND', messages.creativeNotFound),
    );
    const back = creative(created, deactivated).when({ type: 'ChangeCreative', changes: { isActive: true } }, {});
    expect(back).toEqual(accept({ type: 'CreativeReactivated', data: {} }));
  });
});
