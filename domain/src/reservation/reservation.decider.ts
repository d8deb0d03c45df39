import { accept, type Decider, reject } from '../decider.ts';
import { messages } from '../messages.ts';
import type { ReservationCommand, ReservationFacts } from './commands.ts';
import type { Holder, ReservationCategory, ReservationEvent } from './events.ts';
import type { Claim, Reservation } from './state.ts';

const same = (one: Holder, other: Holder): boolean => one.licenceId === other.licenceId && one.id === other.id;

/** Whose claim keeps the holder from the value; null = nobody's. Of a chosen code that is a colleague's only. */
export const claimInTheWay = (
  category: ReservationCategory,
  state: Reservation | null,
  holder: Holder,
): Claim | null => {
  const claims = (state?.claims ?? []).filter((claim) => !same(claim.holder, holder));
  return (
    (category === 'chosencode' ? claims.filter((claim) => claim.holder.licenceId === holder.licenceId) : claims)[0] ??
    null
  );
};

/** Decides and folds who holds a value (nick, e-mail, code, key). A refusal tells nothing of the holder. */
export const reservationDecider = (
  category: ReservationCategory,
): Decider<Reservation, ReservationCommand, ReservationEvent, ReservationFacts> => ({
  category,

  decide(command, state, facts) {
    const { holder } = command;
    const holds = (state?.claims ?? []).some((claim) => same(claim.holder, holder));
    switch (command.type) {
      case 'ClaimValue': {
        if (holds) return accept();
        const other = claimInTheWay(category, state, holder);
        if (other === null) return accept({ type: 'ValueClaimed', data: { holder } });
        if (!facts.holderIsDead) return reject('DUPLICATE', messages.valueTaken);
        return accept(
          { type: 'ValueReleased', data: { holder: other.holder } },
          { type: 'ValueClaimed', data: { holder } },
        );
      }
      case 'ReleaseValue':
        return holds ? accept({ type: 'ValueReleased', data: { holder } }) : accept();
    }
  },

  evolve(state, event, { at }) {
    const { holder } = event.data;
    const others = (state?.claims ?? []).filter((claim) => !same(claim.holder, holder));
    switch (event.type) {
      case 'ValueClaimed':
        return { claims: [...others, { holder, claimedAt: at }] };
      case 'ValueReleased':
        if (state === null) throw new Error('ValueReleased before ValueClaimed');
        return { claims: others };
    }
  },

  changedFields: () => [],
  fields: () => ({}),
});
