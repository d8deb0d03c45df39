import { parseSync } from 'vite';

export interface FoundFunction {
  /** As its source names it; `''` = it has no name of its own. */
  readonly name: string;
  readonly path: string;
  /** Where it begins, counted from 1. */
  readonly line: number;
  /** From its first line to its last, both included. */
  readonly lines: number;
}

type Node = Readonly<Record<string, unknown>> & { readonly type: string; readonly start: number; readonly end: number };

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
const isFunction = ({ type }: Node): boolean =>
  type === 'FunctionDeclaration' || type === 'FunctionExpression' || type === 'ArrowFunctionExpression';

const nameIn = (node: unknown): string => (isNode(node) && typeof node['name'] === 'string' ? node['name'] : '');

/** The name that its surroundings give it: a variable, a member, a method. */
const nameOf = (node: Node, parent: Node | null): string => {
  const own = nameIn(node['id']);
  if (own !== '' || parent === null) return own;
  return parent.type === 'VariableDeclarator' ? nameIn(parent['id']) : nameIn(parent['key']);
};

/** Every function of a file, those inside others too. Throws when the file cannot be parsed. */
export const functionsIn = (path: string, text: string): readonly FoundFunction[] => {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path} cannot be parsed`);
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  const lineAt = (offset: number): number => {
    let [from, to] = [0, starts.length - 1];
    while (from < to) {
      const middle = Math.ceil((from + to) / 2);
      if ((starts[middle] ?? 0) <= offset) from = middle;
      else to = middle - 1;
    }
    return from + 1;
  };
  const found: FoundFunction[] = [];
  const visit = (value: unknown, parent: Node | null): void => {
    if (Array.isArray(value)) {
      for (const item of value) visit(item, parent);
      return;
    }
    if (!isNode(value)) return;
    if (isFunction(value)) {
      const line = lineAt(value.start);
      found.push({ name: nameOf(value, parent), path, line, lines: lineAt(value.end) - line + 1 });
    }
    for (const child of Object.values(value)) visit(child, value);
  };
  visit(program, null);
  return found;
};
