import { useQuery } from '@tanstack/react-query';
import type { NotificationWire } from '@zakup/contracts/notifications';
import { useMemo, useState } from 'react';
import { useApi } from '../../shared/api/api-context.tsx';
import { problemText } from '../../shared/api/api-problem.ts';
import { useSend } from '../../shared/form/use-send.ts';
import { useScope } from '../../shared/live/live-context.tsx';
import { useDocs, useDrawn } from '../../shared/replica/replica-context.tsx';
import { useSession } from '../../shared/session/session-context.tsx';
import { toasts } from '../../shared/toasts/toasts.ts';

export interface Notifications {
  /** Newest first; null while nobody has told. */
  readonly list: readonly NotificationWire[] | null;
  readonly unread: number;
  readonly isRead: (one: NotificationWire) => boolean;
  /** Why there is nothing to show; null = nothing went wrong. */
  readonly error: Error | null;
  readonly retry: () => void;
  /** Everything told up to a place in the log counts as read. */
  readonly readUpTo: (position: number) => void;
}

/** What the person was told: live, and asked for where the line has not brought it when it is `wanted`. */
export const useNotifications = (wanted: boolean): Notifications => {
  const api = useApi();
  const send = useSend();
  const { person } = useSession();
  useScope('me');
  const drawn = useDrawn('me');
  const docs = useDocs('notification', { scope: 'me' });
  const asked = useQuery({
    queryKey: ['notifications', person.id],
    enabled: wanted && !drawn,
    queryFn: async ({ signal }) =>
      (await api.get<{ readonly notifications: readonly NotificationWire[] }>('/api/notifications', { signal })).data
        .notifications,
  });
  const source = drawn ? docs : (asked.data ?? null);
  const list = useMemo(() => source?.toSorted((a, b) => b.position - a.position || (a.id < b.id ? -1 : 1)), [source]);
  // Said here before the server's word is back.
  const [readHere, setReadHere] = useState(0);
  const isRead = (one: NotificationWire): boolean => one.read || one.position <= readHere;
  return {
    list: list ?? null,
    unread: list?.filter((one) => !isRead(one)).length ?? 0,
    isRead,
    error: list === undefined ? asked.error : null,
    retry: () => {
      asked.refetch().catch(() => undefined);
    },
    readUpTo: (position) => {
      const before = readHere;
      setReadHere(Math.max(before, position));
      send('POST', '/api/notifications/read', { upTo: position }).catch((thrown: unknown) => {
        setReadHere(before);
        toasts.error(problemText(thrown));
      });
    },
  };
};
