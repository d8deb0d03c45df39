/** How wide a column is when it shows what stands in its cells in full, in px; of the rows that are in the document. */
export const fittingWidth = (grid: HTMLElement, at: number): number => {
  const table = grid.querySelector('table');
  if (!table) return 0;
  const head = grid.querySelector('.z-grid-head-row');
  const tracks = ['--columns', '--columns-wide'] as const;
  const [usual, wide] = tracks.map((name) => table.style.getPropertyValue(name));
  const count = head?.querySelectorAll('[data-column]').length ?? 0;
  // The numbers of the rows stand before the first.
  const measured = ['34px', ...Array.from({ length: count }, (_, index) => (index === at ? 'max-content' : '0px'))];
  for (const name of tracks) table.style.setProperty(name, measured.join(' '));
  const cells = [...grid.querySelectorAll<HTMLElement>(`[data-column="${at}"]`)];
  const widths = cells.map((cell) => cell.getBoundingClientRect().width);
  table.style.setProperty('--columns', usual ?? '');
  table.style.setProperty('--columns-wide', wide ?? '');
  return Math.ceil(Math.max(0, ...widths));
};
