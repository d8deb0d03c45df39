import { describe, expect, test } from 'vitest';
import { derivedEventId, eventIdOf } from './ids.ts';

describe('ids of events', () => {
  const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  const event = { type: 'PlacementAdded', data: { price: 1 }, at: '2026-11-21T09:00:00.000Z' };
  const id = eventIdOf('p/c', 'placement-a1~1', 0, event);

  test('EDB-50 the same event of the same command at the same place has the same id', () => {
    expect(id).toMatch(uuid);
    expect(eventIdOf('p/c', 'placement-a1~1', 0, { ...event, data: { price: 1 } })).toBe(id);
  });

  test('EDB-51 another command, place or content makes another id', () => {
    const others = [
      eventIdOf('p/d', 'placement-a1~1', 0, event),
      eventIdOf('p/c', 'placement-a1~2', 0, event),
      eventIdOf('p/c', 'placement-a1~1', 1, event),
      eventIdOf('p/c', 'placement-a1~1', 0, { ...event, type: 'PlacementRemoved' }),
      eventIdOf('p/c', 'placement-a1~1', 0, { ...event, data: { price: 2 } }),
      eventIdOf('p/c', 'placement-a1~1', 0, { ...event, at: '2026-11-21T09:00:00.001Z' }),
      derivedEventId('p/c', 0),
    ];
    expect(new Set([id, ...others]).size).toBe(others.length + 1);
  });
});
