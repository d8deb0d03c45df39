import { accept, type Decider, reject } from '../decider.ts';
import { messages } from '../messages.ts';
import type { ReservationCommand, ReservationFacts } from './commands.ts';
import type { Holder, ReservationCategory, ReservationEvent } from './events.ts';
import type { Reservation } from './state.ts';

const same = (one: Holder, other: Holder): boolean => one.licenceId === other.licenceId && one.id === other.id;

/** Decides and folds who holds a value (nick, e-mail, code, key). A refusal tells nothing of the holder. */
export const reservationDecider = (
  category: ReservationCategory,
): Decider<Reservation, ReservationCommand, ReservationEvent, ReservationFacts> => ({
  category,

  decide(command, state, facts) {
    const { holder } = command;
    const present = state?.holder ?? null;
    switch (command.type) {
      case 'ClaimValue':
        if (present === null) return accept({ type: 'ValueClaimed', data: { holder } });
        if (same(present, holder)) return accept();
        if (!facts.holderIsDead) return reject('DUPLICATE', messages.valueTaken);
        return accept({ type: 'ValueReleased', data: { holder: present } }, { type: 'ValueClaimed', data: { holder } });
      case 'ReleaseValue':
        return present !== null && same(present, holder)
          ? accept({ type: 'ValueReleased', data: { holder } })
          : accept();
    }
  },

  evolve(state, event, { at }) {
    switch (event.type) {
      case 'ValueClaimed':
        return { holder: event.data.holder, claimedAt: at };
      case 'ValueReleased':
        if (state === null) throw new Error('ValueReleased before ValueClaimed');
        return { ...state, holder: null };
    }
  },

  touched: () => [],
  fields: () => ({}),
});
