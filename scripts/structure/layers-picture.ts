import { sharedFolderOf, sharedLayers } from '../../tests/architecture/import-rules.ts';
import type { Arrows } from './circles.ts';
import { arrowsBetween, flowchart, type NodeArrows } from './flowchart.ts';

/** What each folder of `web/src/shared` imports of the others. */
export const sharedArrows = (arrows: Arrows): NodeArrows =>
  arrowsBetween(
    sharedLayers.flatMap(({ folders }) => folders),
    (path) => sharedFolderOf(path) ?? undefined,
    arrows,
  );

/** A mermaid flowchart of the layers of `web/src/shared`, the highest first. */
export const layersPicture = (arrows: Arrows): string =>
  flowchart(
    sharedLayers.map(({ name, folders }) => [name, folders]),
    sharedArrows(arrows),
  );
