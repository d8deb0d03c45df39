import type { Arrows } from './circles.ts';

/** What each node imports, by name; arrows of a node to itself are none. */
export type NodeArrows = ReadonlyMap<string, ReadonlySet<string>>;

/** Arrows between the nodes that files belong to; `nodeOf` answers undefined for a file of none. */
export const arrowsBetween = (
  nodes: readonly string[],
  nodeOf: (path: string) => string | undefined,
  arrows: Arrows,
): NodeArrows => {
  const found = new Map(nodes.map((node) => [node, new Set<string>()]));
  for (const [path, targets] of arrows) {
    const from = nodeOf(path);
    if (from === undefined) continue;
    for (const target of targets) {
      const to = nodeOf(target);
      if (to !== undefined && to !== from) found.get(from)?.add(to);
    }
  }
  return found;
};

/** Without arrows that longer ways imply; there must be no circle. */
export const withoutImplied = (arrows: NodeArrows): NodeArrows => {
  const reaches = (from: string, to: string): boolean =>
    [...(arrows.get(from) ?? [])].some((next) => next === to || reaches(next, to));
  return new Map(
    [...arrows].map(([from, targets]) => [
      from,
      new Set([...targets].filter((to) => ![...targets].some((between) => between !== to && reaches(between, to)))),
    ]),
  );
};

const idOf = (name: string): string => name.replaceAll(/[^a-z]/gu, '_');

/** A mermaid flowchart: nodes in their groups, then arrows, without those that others imply. */
export const flowchart = (
  groups: readonly (readonly [name: string, nodes: readonly string[]])[],
  arrows: NodeArrows,
): string => {
  const lines = ['flowchart TB'];
  for (const [group, members] of groups)
    lines.push(`  subgraph ${group}`, ...members.toSorted().map((node) => `    ${idOf(node)}["${node}"]`), '  end');
  for (const [from, targets] of [...withoutImplied(arrows)].toSorted(([a], [b]) => a.localeCompare(b)))
    for (const to of [...targets].toSorted()) lines.push(`  ${idOf(from)} --> ${idOf(to)}`);
  return lines.join('\n');
};

/** The page with the picture in the first mermaid fence below a heading of the second rank. */
export const withPicture = (page: string, heading: string, picture: string): string =>
  page.replace(
    new RegExp(`(^## ${heading}$(?:(?!^## )[\\s\\S])*?^\`\`\`mermaid\\n)[\\s\\S]*?(?=^\`\`\`$)`, 'mu'),
    (_, above: string) => `${above}${picture}\n`,
  );
