/** Members that are written at once: well below a millisecond. */
const most = 2_000;

/** Members of the value and of what is in it; what is beyond `most` is not counted on. */
const membersIn = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 1;
  let count = 1;
  for (const member of Object.values(value)) {
    count += membersIn(member);
    if (count > most) return count;
  }
  return count;
};

/** Whether writing it holds nobody up. */
export const isShort = (value: unknown): boolean => membersIn(value) <= most;

const elements = function* (list: readonly unknown[]): Generator<string, void, undefined> {
  let separator = '';
  let batch: unknown[] = [];
  let count = 0;
  const written = (): string => {
    const text = `${separator}${JSON.stringify(batch).slice(1, -1)}`;
    [separator, batch, count] = [',', [], 0];
    return text;
  };
  for (const element of list) {
    const members = membersIn(element);
    if (batch.length > 0 && count + members > most) yield written();
    if (members > most) {
      yield separator;
      separator = ',';
      yield* streamJson(element);
      continue;
    }
    batch.push(element);
    count += members;
  }
  if (batch.length > 0) yield written();
};

/** The parts of what `JSON.stringify` makes of JSON data, each of them short. */
export const streamJson = function* (value: unknown): Generator<string, void, undefined> {
  if (typeof value !== 'object' || value === null || isShort(value)) {
    yield JSON.stringify(value);
    return;
  }
  if (Array.isArray(value)) {
    yield '[';
    yield* elements(value);
    yield ']';
    return;
  }
  let separator = '{';
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    yield `${separator}${JSON.stringify(name)}:`;
    yield* streamJson(member);
    separator = ',';
  }
  yield '}';
};
