import { type PlacementFieldName, placementFieldNames, placementFields } from '@zakup/contracts/placement-fields';

const pairs = placementFieldNames.flatMap((name): readonly (readonly [string, PlacementFieldName])[] => {
  const { column } = placementFields[name];
  return column === null ? [] : [[column, name]];
});

/** Column → the field of the wire that it shows. */
export const fieldOfColumn: ReadonlyMap<string, PlacementFieldName> = new Map(pairs);

/** Columns whose fields are set or put back by people, in the order of the table. */
export const settableColumns: readonly string[] = pairs
  .filter(([, name]) => placementFields[name].undoable !== null)
  .map(([column]) => column);

/** The field to which the value of a column's editor goes; `null` = it has another door, or none. */
export const changedField = (columnId: string): PlacementFieldName | null => {
  const name = fieldOfColumn.get(columnId);
  return name !== undefined && placementFields[name].undoable === 'change' ? name : null;
};
