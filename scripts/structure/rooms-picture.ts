import { rooms } from '../../tests/architecture/import-rules.ts';
import type { Arrows } from './circles.ts';

/** What each room imports, rooms by folder. */
type RoomArrows = ReadonlyMap<string, ReadonlySet<string>>;

const folders = Object.values(rooms).map(({ folder }) => folder);
const folderOf = (path: string): string | undefined => folders.find((folder) => path.startsWith(`${folder}/`));

export const roomArrows = (arrows: Arrows): RoomArrows => {
  const found = new Map(folders.map((folder) => [folder, new Set<string>()]));
  for (const [path, targets] of arrows) {
    const from = folderOf(path);
    if (from === undefined) continue;
    for (const target of targets) {
      const to = folderOf(target);
      if (to !== undefined && to !== from) found.get(from)?.add(to);
    }
  }
  return found;
};

/** Without arrows that longer ways imply; there must be no circle. */
export const withoutImplied = (arrows: RoomArrows): RoomArrows => {
  const reaches = (from: string, to: string): boolean =>
    [...(arrows.get(from) ?? [])].some((next) => next === to || reaches(next, to));
  return new Map(
    [...arrows].map(([from, targets]) => [
      from,
      new Set([...targets].filter((to) => ![...targets].some((between) => between !== to && reaches(between, to)))),
    ]),
  );
};

const nameOf = (folder: string): string => folder.replaceAll(/[^a-z]/gu, '_');

const groups: readonly (readonly [name: string, folders: readonly string[]])[] = [
  ['browser', ['web']],
  ['services', folders.filter((folder) => folder.startsWith('services/'))],
  ['packages', folders.filter((folder) => folder.startsWith('packages/'))],
  ['rules', ['domain']],
];

/** A mermaid flowchart of the rooms and what they import. */
export const roomsPicture = (arrows: Arrows): string => {
  const drawn = withoutImplied(roomArrows(arrows));
  const lines = ['flowchart TB'];
  for (const [group, members] of groups)
    lines.push(
      `  subgraph ${group}`,
      ...members.toSorted().map((folder) => `    ${nameOf(folder)}["${folder}"]`),
      '  end',
    );
  for (const [from, targets] of [...drawn].toSorted(([a], [b]) => a.localeCompare(b)))
    for (const to of [...targets].toSorted()) lines.push(`  ${nameOf(from)} --> ${nameOf(to)}`);
  return lines.join('\n');
};

/** The page with the picture in its one mermaid fence. */
export const withPicture = (page: string, picture: string): string =>
  page.replace(/^```mermaid\n[\s\S]*?^```$/mu, () => `\`\`\`mermaid\n${picture}\n\`\`\``);
