import { toasts } from '../toasts/toasts.ts';

export type UndoRequest =
  | { readonly kind: 'undo'; readonly commandId: string }
  /** The list of own last actions. */
  | { readonly kind: 'list' };

const hosts = new Set<(request: UndoRequest) => void>();
/** Toasts that offer to undo, by command. */
const offers = new Map<string, number>();

const request = (wish: UndoRequest): void => {
  for (const host of hosts) host(wish);
};

/** Shows what the person did last over whatever is on the screen. */
export const openOwnActions = (): void => request({ kind: 'list' });

/** Undoes an own command, as the list of own last actions does. */
export const requestUndo = (commandId: string): void => request({ kind: 'undo', commandId });

/** Tells what an own command did, for the most part took away, and offers it back. */
export const offerUndo = (commandId: string, text: string, button?: string): void =>
  void offers.set(
    commandId,
    toasts.wayBack(text, () => requestUndo(commandId), button),
  );

/** It goes back, or went, by another way. */
export const withdrawOffer = (commandId: string): void => {
  const offer = offers.get(commandId);
  offers.delete(commandId);
  if (offer !== undefined) toasts.dismiss(offer);
};

/** For the one host. Returns the end of listening. */
export const onUndoRequest = (host: (request: UndoRequest) => void): (() => void) => {
  hosts.add(host);
  return () => hosts.delete(host);
};
