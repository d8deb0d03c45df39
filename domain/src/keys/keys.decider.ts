import { accept, type Decider, reject, rejectField } from '../decider.ts';
import { parseName } from '../limits.ts';
import { messages } from '../messages.ts';
import type { KeyCommand } from './commands.ts';
import type { KeyEvent } from './events.ts';
import type { LicenceKey, LicenceKeys } from './state.ts';

/** Keys of one licence that are in force: each may change as much as a session, and of sessions there are as many as seats. */
export const mostKeys = 50;

/** Decides and folds the keys of a licence (KEY-1). */
export const keysDecider: Decider<LicenceKeys, KeyCommand, KeyEvent, object> = {
  category: 'keys',

  decide(command, state) {
    if (command.type === 'DeleteKey') {
      const key = keyIn(state, command.keyId);
      if (key === null || key.deleted) return reject('NOT_FOUND', messages.keyNotFound);
      return accept({ type: 'KeyDeleted', data: { keyId: key.id, name: key.name } });
    }
    const { keyId, access, expiresAt, now } = command;
    const name = parseName(command.name);
    if (name === null) return rejectField('/name', messages.nameInvalid);
    if (expiresAt !== null && !(Date.parse(expiresAt) > Date.parse(now)))
      return rejectField('/expiresAt', messages.keyExpiryInvalid);
    const inForce = (state?.keys ?? []).filter((key) => isKeyInForce(key, Date.parse(now)));
    if (inForce.length >= mostKeys) return reject('CONFLICT', messages.tooManyKeysMade);
    return accept({ type: 'KeyCreated', data: { keyId, name, access, expiresAt } });
  },

  evolve(state, event, { at }) {
    const keys = state?.keys ?? [];
    switch (event.type) {
      case 'KeyCreated': {
        const { keyId, name, access, expiresAt } = event.data;
        return { keys: [...keys, { id: keyId, name, access, createdAt: at, expiresAt, deleted: false }] };
      }
      case 'KeyDeleted':
        return { keys: keys.map((key) => (key.id === event.data.keyId ? { ...key, deleted: true } : key)) };
    }
  },

  changedFields: () => [],
  fields: () => ({}),
};

/** A key of the licence, also one that was deleted; null = there never was one of this id. */
export const keyIn = (state: LicenceKeys | null, keyId: string): LicenceKey | null =>
  state?.keys.find(({ id }) => id === keyId) ?? null;

/** Whether it may be used at an instant (UTC, milliseconds). */
export const isKeyInForce = ({ deleted, expiresAt }: LicenceKey, now: number): boolean =>
  !deleted && (expiresAt === null || now < Date.parse(expiresAt));

/** How whoever acts with a key is named in history and wherever people are. */
export const keyActorName = (name: string): string => `Ключ: ${name}`;
