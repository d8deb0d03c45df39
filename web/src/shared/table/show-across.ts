/** Brings a cell into sight that is beside the table, or under what stays there when it scrolls sideways. */
export const showAcross = (grid: HTMLElement, cell: HTMLElement): void => {
  if (cell.classList.contains('z-grid-pinned')) return;
  const staying = [...(cell.parentElement?.querySelectorAll('.z-grid-number, .z-grid-pinned') ?? [])];
  const start = grid.getBoundingClientRect().left;
  const from = Math.max(start, ...staying.map((one) => one.getBoundingClientRect().right));
  const { left, right } = cell.getBoundingClientRect();
  const beyond = right - start - grid.clientWidth;
  if (left < from) grid.scrollLeft -= from - left;
  else if (beyond > 0) grid.scrollLeft += Math.min(beyond, left - from);
};
