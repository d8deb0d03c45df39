import {
  noticeNames,
  type RebuildNotice,
  type RebuildRequest,
  type SealingNotice,
  type SelfCheckNotice,
  type WitnessNotice,
} from '@zakup/contracts/notices';
import type { ReadStore } from '@zakup/read-store/read-store';

const instant = (at: number): string => new Date(at).toISOString();

/** How many positions of the log, up to one of them, have an event. */
export type EventsUpTo = (position: number) => number;

const percentOf = ({ position, head }: RebuildNotice): number =>
  head === 0 ? 100 : Math.min(100, Math.floor((position / head) * 100));

/** Going by how fast it went since it was begun, or gone on with; null while that cannot be told. */
const secondsLeft = ({ startedAt, from, position, head }: RebuildNotice, now: number): number | null =>
  position <= from ? null : Math.ceil((((now - startedAt) / (position - from)) * Math.max(0, head - position)) / 1_000);

const rebuildOf = (
  notice: RebuildNotice | null,
  request: RebuildRequest | null,
  now: number,
  eventsUpTo: EventsUpTo,
) => {
  if (
    request !== null &&
    request.id !== (notice?.request ?? null) &&
    (notice === null || request.at > notice.startedAt)
  )
    return { state: 'asked' as const, askedAt: instant(request.at) };
  if (notice === null) return null;
  const { finishedAt, startedAt, events } = notice;
  const done = finishedAt !== null;
  const [from, position, head] = [notice.from, notice.position, notice.head].map(eventsUpTo) as [
    number,
    number,
    number,
  ];
  const counted = { ...notice, from, position, head };
  return {
    state: done ? ('done' as const) : ('running' as const),
    startedAt: instant(startedAt),
    ...(done ? { finishedAt: instant(finishedAt) } : {}),
    events,
    position: notice.position,
    head: notice.head,
    percent: done ? 100 : percentOf(counted),
    secondsLeft: done ? 0 : secondsLeft(counted, now),
  };
};

const selfCheckOf = (notice: SelfCheckNotice | null) =>
  notice === null
    ? null
    : {
        ...notice,
        at: instant(notice.at),
        found: notice.found.map((one) => ({ ...one, at: instant(one.at) })),
      };

const sealsOf = (sealing: SealingNotice | null, witness: WitnessNotice | null) => {
  const refused = sealing?.refused ?? [];
  const last = sealing?.last ?? null;
  const failingSince = witness?.failingSince ?? null;
  return {
    sealsRefused: refused.map(({ licenceId, number, position }) => ({ licenceId, number, position })),
    seals: {
      last: last === null ? null : instant(last),
      refused: refused.map(({ licenceId, number, position, from = position, at }) => ({
        licenceId,
        seal: number,
        from,
        to: position,
        at: at === undefined ? null : instant(at),
      })),
      watching: witness?.watching ?? false,
    },
    alarms: failingSince === null ? [] : [{ kind: 'witness' as const, since: instant(failingSince) }],
  };
};

/**
 * What is done about the read models: licences that stand still, a rebuild, the comparison with the log, and seals that are not made.
 * `eventsUpTo`: default for a log without gaps.
 */
export const readModelStatus = async (
  readStore: Pick<ReadStore, 'notice' | 'query'>,
  now: number,
  eventsUpTo: EventsUpTo = (position) => position,
) => {
  const [rebuild, request, checked, sealing, witness, parked] = await Promise.all([
    readStore.notice(noticeNames.rebuild),
    readStore.notice(noticeNames.rebuildRequest),
    readStore.notice(noticeNames.selfCheck),
    readStore.notice(noticeNames.sealing),
    readStore.notice(noticeNames.witness),
    readStore.query('parked', {}),
  ]);
  return {
    rebuild: rebuildOf(rebuild as RebuildNotice | null, request as RebuildRequest | null, now, eventsUpTo),
    selfCheck: selfCheckOf(checked as SelfCheckNotice | null),
    ...sealsOf(sealing as SealingNotice | null, witness as WitnessNotice | null),
    parked: parked.docs.map(({ licenceId, data }) => ({
      licenceId,
      position: Number(data?.['position'] ?? 0),
      reason: typeof data?.['reason'] === 'string' ? data['reason'] : '',
    })),
  };
};
