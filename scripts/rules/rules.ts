/** A rule of docs/spec.md. */
export interface Rule {
  readonly id: string;
  readonly state: string;
  /** Heading that it is listed under. */
  readonly section: string;
}

/** The rules in the tables of a page, in its order. */
export const rulesIn = (page: string): readonly Rule[] => {
  let section = '';
  return page.split('\n').flatMap((line) => {
    section = /^## (.+)$/u.exec(line)?.[1] ?? section;
    const [, id, rest] = /^\| ([A-Z]+-\d+) \|(.*)\|$/u.exec(line) ?? [];
    if (id === undefined || rest === undefined) return [];
    const cells = rest.split(/(?<!\\)\|/u);
    return [{ id, state: (cells.at(-1) ?? '').trim(), section }];
  });
};

export const isTestFile = (path: string): boolean => /\.(?:test\.tsx?|e2e\.ts)$|-suite\.ts$/u.test(path);

/** Ids that titles of tests begin with, in their order. */
export const testIdsIn = (source: string): readonly string[] =>
  [...source.matchAll(/['"`]([A-Z][A-Z0-9]*-\d+) /gu)].map(([, id = '']) => id);
