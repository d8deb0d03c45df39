import { type RowGroups, standIn } from './grid-groups.ts';

/** How rows stand in groups. */
export interface Grouping<Row> {
  /** Of rows in one group it is the same. */
  readonly keyOf: (row: Row) => string;
  /** What a person calls the group of a row. */
  readonly labelOf: (row: Row) => string;
  /** The order of two groups, each by its key and label. */
  readonly compare: (a: readonly [key: string, label: string], b: readonly [key: string, label: string]) => number;
  readonly sayOf: (rows: readonly Row[]) => string;
  readonly isOpen: (key: string) => boolean;
  readonly toggle: (key: string) => void;
}

/** The rows in their groups, in each as they stood, below a line of their group; of a closed one the line alone. */
export const withGroups = <Row extends object>(
  rows: readonly Row[],
  { keyOf, labelOf, compare, sayOf, isOpen, toggle }: Grouping<Row>,
): readonly Row[] => {
  const byKey = new Map<string, Row[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const known = byKey.get(key);
    if (known) known.push(row);
    else byKey.set(key, [row]);
  }
  const groups = [...byKey].map(([key, members]) => ({ key, members, label: labelOf(members[0] as Row) }));
  groups.sort((a, b) => compare([a.key, a.label], [b.key, b.label]));
  const inOrder: Row[] = [];
  for (const { key, members, label } of groups) {
    const open = isOpen(key);
    const said = sayOf(members);
    inOrder.push(standIn({ id: `group:${key}`, label, said, isOpen: open, toggle: () => toggle(key) }) as Row);
    if (open) for (const member of members) inOrder.push(member);
  }
  return inOrder;
};

/** Groups for a table; made by one who knows its rows. */
export const rowGroups = <Row extends object>(grouping: Grouping<Row>): RowGroups<Row> => ({
  keyOf: grouping.keyOf,
  arrange: (rows) => withGroups(rows, grouping),
});
