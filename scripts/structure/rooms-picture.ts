import { rooms } from '../../tests/architecture/import-rules.ts';
import type { Arrows } from './circles.ts';
import { arrowsBetween, flowchart, type NodeArrows } from './flowchart.ts';

const folders = Object.values(rooms).map(({ folder }) => folder);
const folderOf = (path: string): string | undefined => folders.find((folder) => path.startsWith(`${folder}/`));

/** What each room imports, rooms by folder. */
export const roomArrows = (arrows: Arrows): NodeArrows => arrowsBetween(folders, folderOf, arrows);

const groups: readonly (readonly [name: string, folders: readonly string[]])[] = [
  ['browser', ['web']],
  ['services', folders.filter((folder) => folder.startsWith('services/'))],
  ['packages', folders.filter((folder) => folder.startsWith('packages/'))],
  ['rules', ['domain']],
];

/** A mermaid flowchart of the rooms and what they import. */
export const roomsPicture = (arrows: Arrows): string => flowchart(groups, roomArrows(arrows));
