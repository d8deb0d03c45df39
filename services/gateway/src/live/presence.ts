import type { Presence } from '@zakup/contracts/socket';
import type { LiveSocket } from './outgoing.ts';
import { waitingBytes } from './outgoing.ts';

export type Focus = Presence['people'][number]['focus'];
export type PresentPerson = Omit<Presence['people'][number], 'focus'>;

/** Messages of one scope are at least this many milliseconds apart; of what comes between, the last counts. */
const quiet = 50;

/** Who is where in one scope. Nothing of it is kept. */
export const presenceBoard = ({
  scope,
  sockets,
  bufferLimit,
}: {
  readonly scope: string;
  /** Everybody in the scope now. */
  readonly sockets: () => readonly LiveSocket[];
  readonly bufferLimit: number;
}) => {
  const people = new Map<LiveSocket, Presence['people'][number]>();
  let timer: NodeJS.Timeout | null = null;

  const message = (): Presence => ({ scope, people: [...people.values()] });

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
      announce();
    },
    leave(socket: LiveSocket): void {
      if (people.delete(socket)) announce();
    },
    /** Tells a newcomer who is there. */
    welcome(socket: LiveSocket): void {
      if (people.size > 0) socket.emit('presence', message());
    },
    stop(): void {
      if (timer !== null) clearTimeout(timer);
      timer = null;
    },
  };
};

export type PresenceBoard = ReturnType<typeof presenceBoard>;
