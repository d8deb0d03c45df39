import { setup } from 'xstate';

export type ConnectionEvent =
  | { readonly type: 'CONNECTED' }
  /** Every scope in use has been drawn up to the present. */
  | { readonly type: 'CAUGHT_UP' }
  | { readonly type: 'DISCONNECTED' };

/** How long a lost line stays unsaid, in milliseconds: a blink of the network is no news. */
const quietTime = 2000;

/**
 * offline → catching_up → online. `offline.announced` is what a person is told of; a first connection and a short
 * break stay `offline.quiet`.
 */
export const connectionMachine = setup({
  types: { events: {} as ConnectionEvent },
  delays: { quietTime },
}).createMachine({
  id: 'connection',
  initial: 'offline',
  states: {
    offline: {
      initial: 'quiet',
      on: { CONNECTED: 'catching_up' },
      states: { quiet: { after: { quietTime: 'announced' } }, announced: {} },
    },
    catching_up: { on: { CAUGHT_UP: 'online', DISCONNECTED: 'offline' } },
    online: { on: { DISCONNECTED: 'offline' } },
  },
});
