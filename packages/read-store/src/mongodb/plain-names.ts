import { setTimeout as delay } from 'node:timers/promises';
import { codeOf, invalidOptions, mayPass, namespaceExists, namespaceNotFound, notOnAView } from '@zakup/mongodb/errors';
import type { CollectionInfo, Db } from 'mongodb';
import { collectionName, formerEnd } from './collections.ts';
import type { GenerationsRecord } from './stored-generations.ts';

/** Most milliseconds of one pause between two attempts. */
const longestPause = 100;

/** Codes by which a server says that somebody else has meanwhile changed what is under a name. */
const changedCodes: ReadonlySet<number | string | undefined> = new Set([
  namespaceExists,
  namespaceNotFound,
  invalidOptions,
  notOnAView,
]);

export interface PlainNamesDeps {
  readonly database: Db;
  readonly record: Pick<GenerationsRecord, 'read'>;
  /** Kinds whose documents people look for. */
  readonly kinds: readonly string[];
  /** Milliseconds after which they are left as they are. */
  readonly patience: number;
  /** Milliseconds of a clock that only goes forward. */
  readonly elapsed: () => number;
  /** From 0 to below 1. */
  readonly random: () => number;
}

export interface PlainNames {
  /**
   * Makes the plain names show what is read now. Resolves when they do, whoever else is about it; what is broken off between two of
   * its steps is gone on with by the next. Throws the driver's errors.
   */
  settle(): Promise<void>;
}

/**
 * Under the plain names people find what is read now: the first content itself, later a view of the active one. No step can do harm where
 * somebody else was faster: a view is never renamed, a collection never pointed elsewhere, and nothing is dropped that has a plain name.
 */
export const plainNames = ({ database, record, kinds, patience, elapsed, random }: PlainNamesDeps): PlainNames => {
  const settleOne = async (there: CollectionInfo | undefined, name: string, viewOn: string): Promise<void> => {
    if (there?.type === 'view') {
      const { options = {} } = there as {
        readonly options?: { readonly viewOn?: string; readonly pipeline?: unknown[] };
      };
      if (options.viewOn === viewOn && options.pipeline?.length === 0) return;
      await database.command({ collMod: name, viewOn, pipeline: [] });
      return;
    }
    // Where one is left of an earlier attempt, what has the plain name now was made by somebody who was late.
    if (there !== undefined) await database.renameCollection(name, `${name}${formerEnd}`, { dropTarget: true });
    await database.createCollection(name, { viewOn, pipeline: [] });
  };

  const activeNumber = async (): Promise<number> => (await record.read()).active.number;

  /** Whether they are right: another content may have taken the place meanwhile, whose names were overwritten. */
  const attempt = async (): Promise<boolean> => {
    const number = await activeNumber();
    if (number === 0) return true;
    const listed = new Map<string, CollectionInfo>();
    for (const one of await database.listCollections().toArray()) listed.set(one.name, one);
    for (const kind of kinds) {
      const name = collectionName(kind, true);
      await settleOne(listed.get(name), name, collectionName(kind, true, number));
    }
    return (await activeNumber()) === number;
  };

  return {
    settle: async () => {
      const deadline = elapsed() + patience;
      for (;;) {
        try {
          if (await attempt()) return;
        } catch (error) {
          if (!(changedCodes.has(codeOf(error)) || mayPass(error)) || elapsed() >= deadline) throw error;
        }
        await delay(random() * longestPause);
      }
    },
  };
};
