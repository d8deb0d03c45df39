import { changesAfter } from './content-after.ts';
import type { Scope } from './scope.ts';
import type { Read } from './scope-read.ts';

/** Milliseconds for which the content of a reset is kept, to tell the floor of that reset from another one. */
export const baseKept = 5_000;

/** What everybody in a scope was last reset to, for a while. */
export interface ResetBase {
  isKept(): boolean;
  /** Null: it is outdated. */
  keep(content: Read | null): void;
  /** What was read after the position; a reset as changes, where everybody was reset to that position and is brought on by them. */
  changesSince(position: number, found: Read): Promise<Read>;
}

/** The rows of a deleted campaign stay as they were: who holds them has to ask, and is told that it is gone. */
const isDeleted = (scope: Scope, { docs }: Read): boolean =>
  scope.kind === 'campaign' && !docs.some(({ doc }) => doc.kind === 'campaign' && doc.id === scope.id && !doc.deleted);

export const resetBase = (scope: Scope): ResetBase => {
  let base: Read | null = null;
  return {
    isKept: () => base !== null,
    keep(content) {
      base = content;
      if (content === null) return;
      setTimeout(() => {
        if (base === content) base = null;
      }, baseKept).unref();
    },
    // A floor holds for the position it was raised at, so the store answers the next read with everything once more: nobody is reset twice for it.
    async changesSince(position, found) {
      if (!found.reset || base?.position !== position || isDeleted(scope, found)) return found;
      const known = await changesAfter(base, found);
      if (known === null) return found;
      return { ...known, compared: true, ...(found.withoutLines === true && { withoutLines: true }) };
    },
  };
};
