/** What each file imports, by path. */
export type Arrows = ReadonlyMap<string, readonly string[]>;

/** Groups of files that reach each other (strongly connected, after Tarjan), each in the order of paths, the largest first. */
export const circlesIn = (arrows: Arrows): readonly (readonly string[])[] => {
  const order = new Map<string, number>();
  const open: string[] = [];
  const isOpen = new Set<string>();
  const found: string[][] = [];

  const close = (path: string): void => {
    const group: string[] = [];
    for (let last = open.pop(); last !== undefined; last = open.pop()) {
      isOpen.delete(last);
      group.push(last);
      if (last === path) break;
    }
    if (group.length > 1 || arrows.get(path)?.includes(path) === true) found.push(group.toSorted());
  };

  const visit = (path: string): number => {
    const nth = order.size;
    order.set(path, nth);
    open.push(path);
    isOpen.add(path);
    let low = nth;
    for (const next of arrows.get(path) ?? []) {
      if (!order.has(next)) low = Math.min(low, visit(next));
      else if (isOpen.has(next)) low = Math.min(low, order.get(next) ?? nth);
    }
    if (low === nth) close(path);
    return low;
  };

  for (const path of arrows.keys()) if (!order.has(path)) visit(path);
  return found.toSorted((a, b) => b.length - a.length);
};
