/** One line of a Caddyfile with the block that it opens. */
export interface CaddyDirective {
  readonly words: readonly string[];
  readonly block: readonly CaddyDirective[];
}

interface Opened {
  readonly words: readonly string[];
  readonly block: CaddyDirective[];
}

/** Words of a line: quoted ones are one, a comment is none. */
const wordsOf = (line: string): readonly string[] =>
  [...line.replace(/(?:^|\s)#.*$/u, '').matchAll(/"([^"]*)"|`([^`]*)`|(\S+)/gu)].map(
    ([, quoted, ticked, plain]) => quoted ?? ticked ?? plain ?? '',
  );

/** A Caddyfile as it nests. Throws where its braces do not close. */
export const parsedCaddyfile = (text: string): readonly CaddyDirective[] => {
  const root: Opened = { words: [], block: [] };
  const open: Opened[] = [root];
  for (const line of text.split('\n')) {
    const words = wordsOf(line);
    const parent = open.at(-1);
    if (words.length === 0 || parent === undefined) continue;
    if (words.length === 1 && words[0] === '}') open.pop();
    else if (words.at(-1) === '{') {
      const opened: Opened = { words: words.slice(0, -1), block: [] };
      parent.block.push(opened);
      open.push(opened);
    } else parent.block.push({ words, block: [] });
  }
  if (open.length !== 1) throw new Error('The braces of the Caddyfile do not close');
  return root.block;
};

interface Asked {
  readonly method: string;
  readonly path: string;
}

/** Patterns as Caddy reads them: `*` only at the end; several slashes are one unless the pattern has several. */
const matchesPath = (pattern: string, path: string): boolean => {
  const asked = pattern.includes('//') ? path : path.replaceAll(/\/+/gu, '/');
  return pattern.endsWith('*') ? asked.startsWith(pattern.slice(0, -1)) : asked === pattern;
};

const matchesWords = ([kind, ...values]: readonly string[], asked: Asked): boolean => {
  if (kind === 'method') return values.includes(asked.method);
  if (kind === 'path') return values.some((pattern) => matchesPath(pattern, asked.path));
  if (kind === 'not') return !matchesWords(values, asked);
  throw new Error(`No rule for the matcher ${kind ?? ''}`);
};

const matches = (directive: CaddyDirective, siblings: readonly CaddyDirective[], asked: Asked): boolean => {
  const token = directive.words[1];
  if (token === undefined) return true;
  if (token.startsWith('/')) return matchesPath(token, asked.path);
  const named = siblings.find(({ words }) => words[0] === token);
  if (named === undefined) throw new Error(`No matcher is named ${token}`);
  const { words, block } = named;
  return words.length > 1
    ? matchesWords(words.slice(1), asked)
    : block.every((matcher) => matchesWords(matcher.words, asked));
};

/** What the `route` of a site answers a request with: the first `handle` or `respond` that matches it. */
export const answering = (site: CaddyDirective, asked: Asked): CaddyDirective | undefined => {
  const route = site.block.find(({ words }) => words[0] === 'route');
  return route?.block.find(
    (directive) => ['handle', 'respond'].includes(directive.words[0] ?? '') && matches(directive, route.block, asked),
  );
};

/** Where a `handle` sends a request, `gateway:3000`; null when it answers itself. */
export const upstreamOf = (handle: CaddyDirective | undefined): string | null =>
  handle?.block.find(({ words }) => words[0] === 'reverse_proxy')?.words[1] ?? null;
