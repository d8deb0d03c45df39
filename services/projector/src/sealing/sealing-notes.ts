import { noticeNames, type SealingNotice } from '@zakup/contracts/notices';
import type { ReadStore } from '@zakup/read-store/read-store';
import { isCorrupt, type SealStore, type StoredSeal } from '@zakup/seals/seal-store';
import type { SealRefusal } from './last-seal.ts';
import type { SealingOptions } from './run-sealing.ts';

interface SealingNotesDeps {
  readonly readStore: Pick<ReadStore, 'note' | 'notice'>;
  readonly seals: Pick<SealStore, 'read'>;
  /** UTC milliseconds. */
  readonly now: () => number;
}

type Refused = SealingNotice['refused'][number];

/** Notes for other processes how sealing goes. What was found before keeps its instant, also over restarts. */
export const sealingNotes = ({ readStore, seals, now }: SealingNotesDeps): NonNullable<SealingOptions['note']> => {
  let before: SealingNotice | null = null;

  /** Null = there is none, or it is damaged as well. */
  const sealBefore = async ({ licenceId, number }: SealRefusal): Promise<StoredSeal | null> => {
    if (number < 2) return null;
    try {
      const [found] = await seals.read(licenceId, { after: number - 2, limit: 1 });
      return found ?? null;
    } catch (error) {
      if (isCorrupt(error)) return null;
      throw error;
    }
  };

  const refusedOf = async (refusal: SealRefusal, known: readonly Refused[]): Promise<Refused> => {
    const { licenceId, number, position } = refusal;
    const same = known.find((one) => one.licenceId === licenceId && one.number === number);
    const previous = await sealBefore(refusal);
    return { licenceId, number, position, from: (previous?.position ?? 0) + 1, at: same?.at ?? now() };
  };

  return async (refusals, lastSealed) => {
    before ??= ((await readStore.notice(noticeNames.sealing)) as SealingNotice | null) ?? { refused: [] };
    const refused: Refused[] = [];
    for (const refusal of refusals) refused.push(await refusedOf(refusal, before.refused));
    before = { refused, last: lastSealed ?? before.last ?? null };
    await readStore.note(noticeNames.sealing, { ...before });
  };
};
