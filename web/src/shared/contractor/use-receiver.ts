import { useQuery } from '@tanstack/react-query';
import type { ContractorWire } from '@zakup/contracts/wire-entities';
import { useEffect, useEffectEvent, useState } from 'react';
import { useApi } from '../api/api-context.tsx';
import { useMoment } from '../moment/moment-context.ts';
import { toasts } from '../toasts/toasts.ts';

/** What is said of a contractor that was merged into another one; `nick` null = it was never seen. */
export const mergedText = (nick: string | null, receiver: Pick<ContractorWire, 'adminUsername'>): string =>
  `${nick ?? 'Контрагент'} объединён с ${receiver.adminUsername}`;

/** Whom a contractor that is in no list is a part of (CTR-10); `missing` null = nobody is asked about. */
const useReceiver = (missing: string | null) => {
  const api = useApi();
  // At another moment it may stand by itself one step earlier: there nobody is led away.
  const isNow = useMoment() === null;
  const { data, isFetching } = useQuery({
    queryKey: ['receiver', missing],
    enabled: isNow && missing !== null,
    // A merge may be undone, and made again with somebody else.
    staleTime: 0,
    gcTime: 0,
    queryFn: async ({ signal }) =>
      (await api.get<{ readonly contractor: ContractorWire }>(`/api/contractors/${missing ?? ''}`, { signal })).data
        .contractor,
  });
  return { receiver: data !== undefined && data.id !== missing ? data : null, isFetching };
};

/**
 * Leads from a contractor that was merged to the one it is a part of, with a word about it. `nick`: its nick, null while it is unknown;
 * `missing`: it is in no list, so that it may have been merged; `hold`: it leads nowhere by itself for now, as something would be lost.
 * `receiver`: whom it is a part of, once that is known; `asking`: the server is asked about it.
 */
export const useFollowMerge = ({
  contractorId,
  nick,
  missing,
  hold = false,
  onMerged,
}: {
  readonly contractorId: string | null;
  readonly nick: string | null;
  readonly missing: boolean;
  readonly hold?: boolean;
  readonly onMerged: (receiverId: string) => void;
}): { readonly receiver: ContractorWire | null; readonly asking: boolean } => {
  const [seen, setSeen] = useState(nick);
  if (nick !== null && nick !== seen) setSeen(nick);
  const { receiver, isFetching } = useReceiver(missing ? contractorId : null);
  const follow = useEffectEvent((to: ContractorWire) => {
    toasts.info(mergedText(seen, to));
    onMerged(to.id);
  });
  useEffect(() => {
    if (receiver !== null && !hold) follow(receiver);
  }, [receiver, hold]);
  return { receiver, asking: isFetching };
};
