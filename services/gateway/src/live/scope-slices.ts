import { aliasesOf, type Aliases } from '../read-models/aliases.ts';
import type { ReadModelDeps } from '../read-models/read-model-deps.ts';
import { campaignLines } from './campaign-lines.ts';
import { isEarned, withLines } from './earnings-reader.ts';
import type { Scope } from './scope.ts';
import { scopeReader, withAliases } from './scope-reader.ts';
import type { StoredChange } from './view.ts';

/** Takes all of a scope. */
export interface SlicesTaker {
  /** Before anything is taken: the position that all of it is complete to, and how many documents come at most. */
  readonly begun: (at: { readonly position: number; readonly total: number }) => void;
  /** Documents, in no order that means anything. */
  readonly take: (docs: readonly StoredChange[]) => Promise<void>;
}

type Deps = Pick<ReadModelDeps, 'readStore' | 'partition'>;

/** Earnings need the lines of all placements, so they come last. */
const readCampaign = async (
  { readStore, partition }: Deps,
  licenceId: string,
  scope: Scope,
  { begun, take }: SlicesTaker,
): Promise<void> => {
  const lines = campaignLines([], 0);
  const earned: StoredChange[] = [];
  let aliases: Aliases | null = null;
  const aliased = (change: StoredChange): StoredChange => (aliases === null ? change : withAliases(aliases, change));
  await readStore.readScope(
    { licenceId, scope: scope.stored, partition },
    {
      async begun(content) {
        // Read once the snapshot stands: a merge that it does not hold yet is seen here, or its reset follows.
        aliases = await aliasesOf(readStore, licenceId);
        begun(content);
      },
      async take(docs) {
        const changes = docs.map((doc): StoredChange => ({ doc, gone: false, position: doc.position }));
        lines.apply(changes, 0);
        earned.push(...changes.filter(isEarned));
        await take(changes.filter((change) => !isEarned(change)).map(aliased));
      },
    },
  );
  for (const change of earned) await take([await withLines(lines, change)]);
};

/** Reads all of a campaign's or a contractor's scope; a campaign's in slices of one snapshot, without holding it. */
export const readInSlices = async (deps: Deps, licenceId: string, scope: Scope, taker: SlicesTaker): Promise<void> => {
  if (scope.kind === 'campaign') return readCampaign(deps, licenceId, scope, taker);
  const { docs, position } = await scopeReader(deps, licenceId, scope, () => false).read(undefined);
  taker.begun({ position, total: docs.length });
  await taker.take(docs);
};
