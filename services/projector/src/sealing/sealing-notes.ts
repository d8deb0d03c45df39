import { noticeNames, type SealingNotice } from '@zakup/contracts/notices';
import type { ReadStore } from '@zakup/read-store/read-store';
import type { SealStore } from '@zakup/seals/seal-store';
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

  const refusedOf = async (refusal: SealRefusal, known: readonly Refused[]): Promise<Refused> => {
    const { licenceId, number, position } = refusal;
    const same = known.find((one) => one.licenceId === licenceId && one.number === number);
    const [previous] = number < 2 ? [] : await seals.read(licenceId, { after: number - 2, limit: 1 });
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
