import { tokenKeys } from '../shared/api/tokens.ts';
import { opensDashboard } from './remembered-view.ts';

const parts = {
  shell: () => import('./shell.tsx'),
  dashboard: () => import('../features/dashboard/dashboard-page.tsx'),
  placements: () => import('../features/placements/placements-section.tsx'),
} as const satisfies Record<string, () => Promise<object>>;

/**
 * Asks for the code of the frame, and of the first screen where the address leads there, while the session is restored: else each would be
 * asked for when what stands around it is drawn. What does not come is asked for again by whoever draws it. Nobody who has no session is
 * made to load any of it.
 */
export const askForFirstCode = (
  storage: Pick<Storage, 'getItem'>,
  path: string,
  load: Readonly<Record<keyof typeof parts, () => Promise<object>>> = parts,
): void => {
  if (storage.getItem(tokenKeys.access) === null) return;
  const wanted = opensDashboard(storage, path) ? [load.shell, load.dashboard, load.placements] : [load.shell];
  for (const ask of wanted) void ask().catch(() => undefined);
};
