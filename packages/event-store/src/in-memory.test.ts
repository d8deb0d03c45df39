import { describe, expect, it } from 'vitest';
import { eventStoreContractSuite, sampleEvent } from './contract-suite.ts';
import { inMemoryEventStore } from './in-memory.ts';

eventStoreContractSuite('in memory', async () => inMemoryEventStore({ clock: Date.now }), { gapless: true });

describe('in-memory event store', () => {
  it('ES-30 instants do not follow a clock that goes back', async () => {
    let now = 2000;
    const store = inMemoryEventStore({ clock: () => now });
    const append = () => store.append([{ stream: 'a-00~1', expectedRevision: 'any', events: [sampleEvent('00')] }]);
    await append();
    now = 1000;
    await append();
    const instants = (await store.read('a-00~1')).map(({ recordedAt }) => recordedAt);
    expect(instants).toEqual(['1970-01-01T00:00:02.000Z', '1970-01-01T00:00:02.000Z']);
  });
});
