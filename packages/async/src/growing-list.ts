/** A list that grows until it ends: whoever iterates it gets all of it from its first item on, each as soon as it is there. */
export interface GrowingList<Item> extends AsyncIterable<Item> {
  readonly push: (item: Item) => void;
  readonly end: () => void;
  /** It breaks off: whoever iterates gets what is there, and then this is thrown. */
  readonly fail: (error: unknown) => void;
}

export const growingList = <Item>(): GrowingList<Item> => {
  const items: Item[] = [];
  const waiting: (() => void)[] = [];
  let over: { readonly error?: unknown } | null = null;
  const wake = (): void => {
    for (const goOn of waiting.splice(0)) goOn();
  };
  const close = (how: { readonly error?: unknown }): void => {
    over ??= how;
    wake();
  };

  return {
    push(item) {
      if (over !== null) return;
      items.push(item);
      wake();
    },
    end: () => close({}),
    fail: (error) => close({ error }),
    async *[Symbol.asyncIterator]() {
      for (let index = 0; ; index += 1) {
        while (index >= items.length) {
          if (over !== null) {
            if ('error' in over) throw over.error;
            return;
          }
          await new Promise<void>((resolve) => {
            waiting.push(resolve);
          });
        }
        yield items[index] as Item;
      }
    },
  };
};
