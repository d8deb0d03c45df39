import { describe, expect, it } from 'vitest';
import { catalogEntry } from '../catalog.ts';
import { messages } from '../messages.ts';
import { given } from '../testing/given.ts';
import { preferencesDecider } from './preferences.decider.ts';

const preferences = given(preferencesDecider);
const read = (upTo: number) => ({ type: 'NotificationsRead', data: { upTo } }) as const;

describe('preferences', () => {
  it('PRF-1 what was told up to a position is read; a cursor that would stand still or go back changes nothing', () => {
    const command = { type: 'ReadNotifications', upTo: 7, head: 9 } as const;
    expect(preferences().when(command, {})).toEqual({ kind: 'accepted', events: [read(7)] });
    expect(preferences(read(7)).when(command, {})).toEqual({ kind: 'accepted', events: [] });
    expect(preferences(read(8)).when(command, {})).toEqual({ kind: 'accepted', events: [] });
    expect(preferences(read(3), read(8)).state).toEqual({ readUpTo: 8 });
  });

  it('PRF-2 nobody has read what has not happened', () => {
    expect(preferences().when({ type: 'ReadNotifications', upTo: 10, head: 9 }, {})).toMatchObject({
      kind: 'rejected',
      rejection: { code: 'VALIDATION_FAILED', message: messages.positionAhead },
    });
  });

  it('PRF-3 a reader that shows entities to people may pass over it', () => {
    expect(catalogEntry('NotificationsRead')).toMatchObject({ ignorable: true, personal: [] });
  });
});
