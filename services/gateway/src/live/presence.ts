import type { Presence } from '@zakup/contracts/socket';
import type { LineWatch } from './line-watch.ts';
import type { LiveSocket } from './outgoing.ts';
import { waitingBytes } from './outgoing.ts';

export type Focus = Presence['people'][number]['focus'];
export type PresentPerson = Omit<Presence['people'][number], 'focus'>;

/** Messages of one scope are at least this many milliseconds apart; of what comes between, the last counts. */
const quiet = 50;

/** Who is where in one scope: not whose line has fallen silent, until it is heard again. Nothing of it is kept. */
export const presenceBoard = ({
  scope,
  sockets,
  watch,
  bufferLimit,
}: {
  readonly scope: string;
  /** Everybody in the scope now. */
  readonly sockets: () => readonly LiveSocket[];
  readonly watch: LineWatch;
  readonly bufferLimit: number;
}) => {
  const people = new Map<LiveSocket, Presence['people'][number]>();
  const followed = new Map<LiveSocket, () => void>();
  let timer: NodeJS.Timeout | null = null;

  const message = (): Presence => ({
    scope,
    people: [...people].filter(([socket]) => !watch.isSilent(socket)).map(([, person]) => person),
  });

  const announce = (): void => {
    timer ??= setTimeout(() => {
      timer = null;
      const now = message();
      for (const socket of sockets()) if (waitingBytes(socket) <= bufferLimit) socket.emit('presence', now);
    }, quiet);
  };

  return {
    set(socket: LiveSocket, person: PresentPerson, focus: Focus): void {
      people.set(socket, { ...person, focus });
      if (!followed.has(socket)) followed.set(socket, watch.follow(socket, announce));
      announce();
    },
    leave(socket: LiveSocket): void {
      followed.get(socket)?.();
      followed.delete(socket);
      if (people.delete(socket)) announce();
    },
    /** Tells a newcomer who is there. */
    welcome(socket: LiveSocket): void {
      const now = message();
      if (now.people.length > 0) socket.emit('presence', now);
    },
    stop(): void {
      for (const unfollow of followed.values()) unfollow();
      followed.clear();
      if (timer !== null) clearTimeout(timer);
      timer = null;
    },
  };
};

export type PresenceBoard = ReturnType<typeof presenceBoard>;
