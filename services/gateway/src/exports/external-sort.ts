import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { createYielder } from '@zakup/async/yielder';

/** So many are sorted at once: a few milliseconds. */
const runItems = 1024;
/** So many are unpacked of each run while all are read in order. */
const blockItems = 64;

/** One run while it is read: what is unpacked of it, and what is not yet. */
interface Head<Item> {
  items: readonly Item[];
  next: number;
  readonly blocks: Buffer[];
}

const packed = (items: readonly unknown[]): Buffer => deflateRawSync(JSON.stringify(items), { level: 1 });

/**
 * Sorts more items than memory should hold, in steps that are short: what was added waits packed, and is unpacked little by little when it
 * is read. Items are JSON values.
 */
export const externalSort = <Item>(compare: (a: Item, b: Item) => number) => {
  const runs: Buffer[][] = [];
  let open: Item[] = [];
  let count = 0;
  const yieldIfDue = createYielder();

  const pack = async (): Promise<void> => {
    const items = open.sort(compare);
    open = [];
    await yieldIfDue();
    const blocks: Buffer[] = [];
    for (let from = 0; from < items.length; from += blockItems) {
      blocks.push(packed(items.slice(from, from + blockItems)));
      await yieldIfDue();
    }
    if (blocks.length > 0) runs.push(blocks);
  };

  const isUnpacked = (head: Head<Item>): boolean => {
    if (head.next < head.items.length) return true;
    const block = head.blocks.shift();
    if (block === undefined) return false;
    head.items = JSON.parse(inflateRawSync(block).toString()) as readonly Item[];
    head.next = 0;
    return true;
  };

  const itemOf = (head: Head<Item>): Item => head.items[head.next] as Item;

  /** Puts a head where its item belongs among heads in order. */
  const insert = (heads: Head<Item>[], head: Head<Item>): void => {
    let [from, to] = [0, heads.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (compare(itemOf(heads[middle] as Head<Item>), itemOf(head)) < 0) from = middle + 1;
      else to = middle;
    }
    heads.splice(from, 0, head);
  };

  return {
    /** To be awaited before more are added. */
    async add(items: readonly Item[]): Promise<void> {
      for (const item of items) {
        open.push(item);
        if (open.length >= runItems) await pack();
      }
      count += items.length;
    },

    /** How many were added. */
    count: (): number => count,

    /** All of them in order, once: what was read is let go. Others have their turn in between. */
    async *sorted(): AsyncGenerator<Item, void, undefined> {
      await pack();
      const heads: Head<Item>[] = [];
      for (const blocks of runs.splice(0)) {
        const head: Head<Item> = { items: [], next: 0, blocks };
        if (isUnpacked(head)) insert(heads, head);
        await yieldIfDue();
      }
      for (let head = heads.shift(); head !== undefined; head = heads.shift()) {
        const item = itemOf(head);
        head.next += 1;
        if (isUnpacked(head)) insert(heads, head);
        yield item;
        await yieldIfDue();
      }
    },
  };
};
