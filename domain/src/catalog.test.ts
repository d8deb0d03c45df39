import { describe, expect, expectTypeOf, it } from 'vitest';
import access from './access/fixtures/version-1.json' with { type: 'json' };
import activation from './activation/fixtures/version-1.json' with { type: 'json' };
import campaign from './campaign/fixtures/version-1.json' with { type: 'json' };
import { type Category, catalog, catalogEntry, decodeEvent, type StoredEvent } from './catalog.ts';
import channel from './channel/fixtures/version-1.json' with { type: 'json' };
import contractor from './contractor/fixtures/version-1.json' with { type: 'json' };
import creative from './creative/fixtures/version-1.json' with { type: 'json' };
import employee from './employee/fixtures/version-1.json' with { type: 'json' };
import { categoryOf, entityByCategory, entityOfStream, isCategory, type StateByCategory } from './entities.ts';
import imported from './import/fixtures/version-1.json' with { type: 'json' };
import importLane from './import/fixtures/lane-version-1.json' with { type: 'json' };
import keys from './keys/fixtures/version-1.json' with { type: 'json' };
import webhooks from './webhooks/fixtures/version-1.json' with { type: 'json' };
import licence from './licence/fixtures/version-1.json' with { type: 'json' };
import placement from './placement/fixtures/version-1.json' with { type: 'json' };
import preferences from './preferences/fixtures/version-1.json' with { type: 'json' };
import type { Placement } from './placement/state.ts';
import reservation from './reservation/fixtures/version-1.json' with { type: 'json' };
import type { Reservation } from './reservation/state.ts';
import views from './views/fixtures/version-1.json' with { type: 'json' };
import { foldOf } from './testing/given.ts';

const fixtures: Readonly<Record<Category, readonly StoredEvent[]>> = {
  access,
  activation,
  campaign,
  channel,
  contractor,
  creative,
  employee,
  keys,
  webhooks,
  licence,
  placement,
  preferences,
  views,
  import: imported,
  importlane: importLane,
  nick: reservation,
  email: reservation,
  authcode: reservation,
  chosencode: reservation,
  licencekey: reservation,
};
const allFixtures = Object.values(fixtures).flat();

describe('catalog', () => {
  it.each(allFixtures)('CT-1 reads $type as it was written in version $schemaVersion', (stored) => {
    expect(decodeEvent(stored)).toEqual({ kind: 'event', event: { type: stored.type, data: stored.data } });
  });

  it('CT-2 has a frozen example of every version of every type', () => {
    const frozen = new Set(allFixtures.map(({ type, schemaVersion }) => `${type} ${schemaVersion}`));
    const missing = Object.entries(catalog).flatMap(([type, { version }]) =>
      Array.from({ length: version }, (_, index) => `${type} ${index + 1}`).filter((name) => !frozen.has(name)),
    );
    expect(missing).toEqual([]);
  });

  it('CT-3 has an upcaster from every version but the latest', () => {
    for (const { version, upcasters } of Object.values(catalog))
      expect(Object.keys(upcasters).map(Number)).toEqual(Array.from({ length: version - 1 }, (_, index) => index + 1));
  });

  it('CT-4 tells unknown types, newer versions and wrong data apart', () => {
    const data = { name: 'Наш канал' };
    expect(decodeEvent({ type: 'ChannelPainted', schemaVersion: 1, data }).kind).toBe('unknown_type');
    expect(decodeEvent({ type: 'constructor', schemaVersion: 1, data }).kind).toBe('unknown_type');
    expect(decodeEvent({ type: 'ChannelRenamed', schemaVersion: 2, data }).kind).toBe('newer_version');
    for (const schemaVersion of [0, -1, 0.5, Number.NaN])
      expect(decodeEvent({ type: 'ChannelRenamed', schemaVersion, data }).kind).toBe('invalid');
    for (const wrong of [null, {}, { name: 1 }, { ...data, colour: 'red' }])
      expect(decodeEvent({ type: 'ChannelRenamed', schemaVersion: 1, data: wrong }).kind).toBe('invalid');
    expect(decodeEvent({ type: 'PlacementPriceChanged', schemaVersion: 1, data: { price: 0.5 } }).kind).toBe('invalid');
  });

  it('CT-5 names only members that events have as personal', () => {
    for (const { type, data } of allFixtures)
      expect(Object.keys(data ?? {})).toEqual(expect.arrayContaining([...(catalogEntry(type)?.personal ?? [])]));
  });

  it('CT-6 carries no member that could be a secret', () => {
    const members = allFixtures.flatMap(({ data }) => Object.keys(data ?? {}));
    expect(members.filter((member) => /password|hash|token|twoFactor/iu.test(member))).toEqual([]);
  });

  it('CT-7 folds every frozen history through the entity of its stream', () => {
    for (const [category, history] of Object.entries(fixtures)) {
      const entity = entityOfStream(`${category}-3f~1`);
      const events = history.flatMap((stored) => {
        const decoded = decodeEvent(stored);
        return decoded.kind === 'event' ? [decoded.event] : [];
      });
      expect(entity?.category).toBe(category);
      expect(entity && foldOf(entity, events).state).not.toBeNull();
    }
  });

  it('CT-8 knows streams by their names, and those that are no entity’s', () => {
    expect(categoryOf('placement-3f9~a-b')).toBe('placement');
    expect(categoryOf('nonsense')).toBe('');
    expect(entityOfStream('command-3f9~1')).toBeNull();
    expect(entityOfStream('toString-3f9~1')).toBeNull();
    expect(isCategory('licencekey')).toBe(true);
    for (const [category, entity] of Object.entries(entityByCategory)) expect(entity.category).toBe(category);
  });

  it('CT-9 gives each category the state it folds into', () => {
    expectTypeOf<StateByCategory['placement']>().toEqualTypeOf<Placement>();
    expectTypeOf<StateByCategory['nick']>().toEqualTypeOf<Reservation>();
  });
});
