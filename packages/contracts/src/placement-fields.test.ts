import { expect, test } from 'vitest';
import { historyRules } from './history-fields.ts';
import { placementField, placementFieldNames, placementFields } from './placement-fields.ts';
import { changePlacementRequest } from './requests/placement.requests.ts';

test('PLF-1680 what is told to go back by a change is a member of that change, and what the history tells has a name', () => {
  const changed = Object.keys(changePlacementRequest.shape).filter((name) => name !== 'baseRevision');
  const back = placementFieldNames.flatMap((name) => {
    const { undoable } = placementFields[name];
    return undoable === 'change' ? [name] : undoable === 'nick' ? ['contractor'] : [];
  });
  expect(new Set(back)).toEqual(new Set(changed));
  const told = Object.values(historyRules.placement).flatMap((rules) => rules.map(({ name }) => name));
  expect(told.filter((name) => name !== 'deleted' && placementField(name) === undefined)).toEqual([]);
});

test('PLF-1681 no two columns have the same id, and a name that no field has is none', () => {
  const columns = placementFieldNames.flatMap((name) => placementFields[name].column ?? []);
  expect(new Set(columns).size).toBe(columns.length);
  expect([placementField('none'), placementField('constructor')]).toEqual([undefined, undefined]);
});
