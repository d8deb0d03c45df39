import { createContext, type ReactNode, use } from 'react';
import type { Live } from '../live/live.ts';
import { LiveProvider } from '../live/live-context.tsx';
import type { Outbox } from '../outbox/outbox.ts';
import { OutboxProvider } from '../outbox/outbox-context.tsx';
import type { Replica } from '../replica/replica.ts';
import { ReplicaProvider } from '../replica/replica-context.tsx';

interface Now {
  readonly replica: Replica;
  readonly live: Live;
  readonly outbox: Outbox;
}

const NowContext = createContext<Now | null>(null);

export const NowProvider = NowContext.Provider;

/** What below has no past, such as what a person was told: it goes on with now while the screen shows another moment, and says so. */
export const NowBelow = ({ children }: { readonly children: ReactNode }) => {
  const now = use(NowContext);
  if (now === null) return children;
  return (
    <ReplicaProvider value={now.replica}>
      <LiveProvider value={now.live}>
        <OutboxProvider value={now.outbox}>{children}</OutboxProvider>
      </LiveProvider>
    </ReplicaProvider>
  );
};
