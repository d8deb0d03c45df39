import { parseSync } from 'vite';

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [member: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

const nodesOf = (value: unknown): readonly Node[] => {
  if (Array.isArray(value)) return value.flatMap(nodesOf);
  return isNode(value) ? [value] : [];
};

/** The first Russian word of a text that begins with a blank, in lower case. */
const wordAfter = (text: string): string | null => /^\s+(\p{Script=Cyrillic}+)/u.exec(text)?.[1]?.toLowerCase() ?? null;

const literalOf = (node: Node | undefined): string | null =>
  node !== undefined && (node.type === 'Literal' || node.type === 'JSXText') && typeof node['value'] === 'string'
    ? node['value']
    : null;

/** The expression that stands last in an element of JSX: `<b>{count}</b>` counts as `count`. */
const lastExpression = (node: Node): Node | null => {
  if (node.type === 'JSXExpressionContainer') return nodesOf(node['expression'])[0] ?? null;
  if (node.type !== 'JSXElement') return null;
  const last = nodesOf(node['children']).findLast((child) => literalOf(child)?.trim() !== '');
  return last === undefined ? null : lastExpression(last);
};

const inTemplate = (node: Node): readonly (readonly [Node, string])[] => {
  const quasis = nodesOf(node['quasis']);
  return nodesOf(node['expressions']).map((expression, index): readonly [Node, string] => {
    const { cooked = '' } = (quasis[index + 1]?.['value'] ?? {}) as { readonly cooked?: string };
    return [expression, cooked];
  });
};

const inJsx = (node: Node): readonly (readonly [Node, string])[] => {
  const children = nodesOf(node['children']);
  return children.flatMap((child, index) => {
    const expression = lastExpression(child);
    if (expression === null || literalOf(expression) !== null) return [];
    let text = '';
    for (const next of children.slice(index + 1)) {
      const said =
        literalOf(next) ?? (next.type === 'JSXExpressionContainer' ? literalOf(lastExpression(next) ?? next) : null);
      if (said === null) break;
      text += said;
    }
    return [[expression, text] as const];
  });
};

const inSum = (node: Node): readonly (readonly [Node, string])[] => {
  const [left] = nodesOf(node['left']);
  const said = literalOf(nodesOf(node['right'])[0]);
  return node['operator'] === '+' && left !== undefined && said !== null ? [[left, said]] : [];
};

/** Something computed with a Russian word right behind it. */
export interface Spoken {
  /** As it stands in the source. */
  readonly expression: string;
  readonly word: string;
}

/** The three forms that a call of `plural` chooses from, as they stand in the source; null where they are no plain texts. */
export type Forms = readonly [one: string, few: string, many: string] | null;

export interface CountWords {
  readonly spoken: readonly Spoken[];
  readonly forms: readonly Forms[];
}

const formsOf = (call: Node): Forms => {
  const [, ...given] = nodesOf(call['arguments']).map((argument) => literalOf(argument));
  const [one = null, few = null, many = null] = given;
  return one === null || few === null || many === null ? null : [one, few, many];
};

/** Everything of a source that a number could be spoken with. Throws when it cannot be parsed. */
export const countWordsOf = (path: string, source: string): CountWords => {
  const parsed = parseSync(path, source);
  if (parsed.errors.length > 0) throw new Error(`${path} cannot be parsed`);
  const spoken: Spoken[] = [];
  const forms: Forms[] = [];
  const textOf = ({ start, end }: Node): string => source.slice(start, end).replace(/\s+/gu, ' ');
  const pairsOf = (node: Node): readonly (readonly [Node, string])[] => {
    if (node.type === 'TemplateLiteral') return inTemplate(node);
    if (node.type === 'JSXElement' || node.type === 'JSXFragment') return inJsx(node);
    return node.type === 'BinaryExpression' ? inSum(node) : [];
  };
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) {
      for (const item of value) visit(item);
      return;
    }
    if (typeof value !== 'object' || value === null) return;
    if (isNode(value)) {
      for (const [expression, text] of pairsOf(value)) {
        const word = wordAfter(text);
        if (word !== null) spoken.push({ expression: textOf(expression), word });
      }
      const [callee] = nodesOf(value['callee']);
      if (value.type === 'CallExpression' && callee !== undefined && textOf(callee) === 'plural')
        forms.push(formsOf(value));
    }
    for (const child of Object.values(value)) visit(child);
  };
  visit(parsed.program);
  return { spoken, forms };
};
