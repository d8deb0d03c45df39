import type { Session } from '@zakup/credentials/credentials';
import type { LiveSocket } from './outgoing.ts';

/** Counts the open lines of each person, whatever their sessions. */
export const socketCount = (most: number) => {
  const counts = new Map<string, number>();
  return {
    /** False, and not counted, when the person has as many already. */
    enter(socket: LiveSocket, { licenceId, userId }: Pick<Session, 'licenceId' | 'userId'>): boolean {
      const key = `${licenceId}/${userId}`;
      const count = counts.get(key) ?? 0;
      if (count >= most) return false;
      if (socket.conn.readyState !== 'open') return true;
      counts.set(key, count + 1);
      let left = false;
      const leave = (): void => {
        if (left) return;
        left = true;
        const others = (counts.get(key) ?? 1) - 1;
        if (others === 0) counts.delete(key);
        else counts.set(key, others);
      };
      // A line may close before its socket is one, and a socket end before its line.
      socket.conn.once('close', leave);
      socket.once('disconnect', leave);
      return true;
    },
  };
};
