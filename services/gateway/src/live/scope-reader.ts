import type { JsonObject, ReadDocument } from '@zakup/read-store/read-store';
import { createYielder } from '@zakup/async/yielder';
import { type Aliases, aliasesOf } from '../read-models/aliases.ts';
import { mapYielding } from '@zakup/async/map-yielding';
import { dataOf } from '../read-models/rows.ts';
import {
  type CampaignEarningsReader,
  campaignEarnings,
  type EarningsReaderDeps,
  ownEarnings,
} from './earnings-reader.ts';
import type { Scope } from './scope.ts';
import type { Read } from './scope-read.ts';
import type { StoredChange } from './view.ts';

/** So often reads are made that are to meet in one state of the store. */
const mostReads = 5;

export const keyOf = ({ doc }: StoredChange): string => `${doc.kind}/${doc.id}`;

/** A row that went from one part of a contractor to another is gone from the first and present in the second: it is there. */
const onceEach = (docs: readonly StoredChange[]): readonly StoredChange[] => {
  const there = new Set(docs.filter(({ gone }) => !gone).map(keyOf));
  return docs.filter((change) => !change.gone || !there.has(keyOf(change))).toSorted((a, b) => a.position - b.position);
};

const aliased = ({ placement, analytics }: Aliases, doc: ReadDocument): object | null => {
  if (doc.data === null) return null;
  if (doc.kind === 'placement') return placement(dataOf('placement', doc));
  return doc.kind === 'analytics' ? analytics(dataOf('analytics', doc)) : doc.data;
};

export const withAliases = (aliases: Aliases, change: StoredChange): StoredChange => {
  const data = aliased(aliases, change.doc);
  return data === change.doc.data ? change : { ...change, doc: { ...change.doc, data: data as JsonObject } };
};

/** Reads one scope. */
export interface ScopeReader extends Pick<CampaignEarningsReader, 'linesTaker'> {
  /** What changed after `since`, or everything. `areLinesWanted`: false where nobody is sent what is found of a campaign; default true. */
  readonly read: (since: number | undefined, areLinesWanted?: boolean) => Promise<Read>;
}

/** `showsOwnEarnings`: whether somebody is shown those of `me`. */
export const scopeReader = (
  { readStore, partition, thread }: Pick<EarningsReaderDeps, 'readStore' | 'partition' | 'thread'>,
  licenceId: string,
  scope: Scope,
  showsOwnEarnings: () => boolean,
): ScopeReader => {
  /** Rows of deleted campaigns keep their documents; in a contractor's scope they are not there (CMP-4). */
  const withoutDeletedCampaigns = async (
    docs: readonly StoredChange[],
    whole: boolean,
  ): Promise<readonly StoredChange[]> => {
    const campaignOf = ({ doc }: StoredChange): string | null =>
      doc.kind === 'placement' && !doc.deleted ? dataOf('placement', doc).campaignId : null;
    const ids = new Set(docs.map(campaignOf).filter((id) => id !== null));
    if (ids.size === 0) return docs;
    const campaigns = await readStore.getMany('campaign', [...ids]);
    const present = new Set(campaigns.filter(({ deleted }) => !deleted).map(({ id }) => id));
    const isClosed = (change: StoredChange): boolean => {
      const id = campaignOf(change);
      return id !== null && !present.has(id);
    };
    return whole
      ? docs.filter((change) => !isClosed(change))
      : docs.map((change) => (isClosed(change) ? { ...change, gone: true } : change));
  };

  const stored = (name: string, since: number | undefined): Promise<Read> => {
    const request = { licenceId, scope: name, partition };
    return readStore.changesSince(since === undefined ? request : { ...request, since });
  };

  /** A contractor's documents are where those of its parts are. `together`: all were read in one state of the store. */
  const ofContractor = async (
    contractorId: string,
    since: number | undefined,
  ): Promise<{ readonly read: Read; readonly together: boolean; readonly merged: boolean }> => {
    const before = await aliasesOf(readStore, licenceId);
    const names = before.parts(before.receiver(contractorId)).map((id) => `contractor:${id}`);
    const changes = await Promise.all(names.map((name) => stored(name, since)));
    const reset = changes.some((one) => one.reset);
    const reads = reset ? await Promise.all(names.map((name) => stored(name, undefined))) : changes;
    const positions = new Set(reads.map(({ position }) => position));
    const aliases = await aliasesOf(readStore, licenceId);
    const docs = onceEach(reads.flatMap((one) => one.docs)).map((change) => withAliases(aliases, change));
    return {
      read: {
        docs: await withoutDeletedCampaigns(docs, since === undefined || reset),
        position: Math.min(...positions),
        reset,
      },
      together: positions.size === 1,
      merged: aliases.position !== before.position,
    };
  };

  const earningsDeps: EarningsReaderDeps = { readStore, partition, licenceId, thread, stored };
  const inCampaign = campaignEarnings(earningsDeps, scope);
  const inMe = ownEarnings(earningsDeps, scope, showsOwnEarnings);

  const read: ScopeReader['read'] = async (since, areLinesWanted) => {
    if (scope.kind === 'contractor') {
      for (let attempt = 1; ; attempt += 1) {
        const { read: found, together, merged } = await ofContractor(scope.id, since);
        // On a busy store what is newer than the position may come once more.
        if (!merged && (together || attempt >= mostReads)) return found;
      }
    }
    if (scope.kind === 'me') return inMe(since);
    if (scope.kind !== 'campaign') return stored(scope.stored, since);
    const changes = await inCampaign.read(since, areLinesWanted);
    if (changes.docs.length === 0) return changes;
    // Read after the rows: a merge that came in between is seen, and its reset follows.
    const aliases = await aliasesOf(readStore, licenceId);
    return {
      ...changes,
      docs: await mapYielding(
        changes.docs,
        (change) => withAliases(aliases, change),
        createYielder({ long: since === undefined }),
      ),
    };
  };
  return { read, linesTaker: () => (scope.kind === 'campaign' ? inCampaign.linesTaker() : null) };
};
