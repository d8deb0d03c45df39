import type { Presence } from '@zakup/contracts/socket';

export type Focus = NonNullable<Presence['people'][number]['focus']>;
/** Somebody who looks at a scope; `focus` = the cell they stand in. */
export type PresentPerson = Presence['people'][number];

/** Where one stands goes out at most this often, in milliseconds; of what lies between, the last counts. */
const presencePause = 150;

interface PresenceDeps {
  /** Sends to the server; called only for scopes that `ready` confirms. */
  readonly send: (message: { scope: string; focus: Focus | null }) => void;
  /** Whether the server knows that this scope is looked at. */
  readonly ready: (scope: string) => boolean;
  readonly clock: { readonly setTimeout: (run: () => void, ms: number) => unknown };
  readonly onChange: () => void;
}

const nobody: readonly PresentPerson[] = [];

/** Who is where, and where one is oneself. Nothing of it is kept. */
export const presenceDesk = ({ send, ready, clock, onChange }: PresenceDeps) => {
  const own = new Map<string, Focus | null>();
  const people = new Map<string, readonly PresentPerson[]>();
  const resting = new Set<string>();
  const due = new Set<string>();

  const tell = (scope: string): void => {
    const focus = own.get(scope);
    if (focus === undefined || !ready(scope)) return;
    if (resting.has(scope)) {
      due.add(scope);
      return;
    }
    send({ scope, focus });
    resting.add(scope);
    clock.setTimeout(() => {
      resting.delete(scope);
      if (due.delete(scope)) tell(scope);
    }, presencePause);
  };

  return {
    /** One stands here from now on; told again after every break of the line. */
    show(scope: string, focus: Focus | null): void {
      own.set(scope, focus);
      tell(scope);
    },
    /** The server has (again) opened the scope. */
    opened: tell,
    heard({ scope, people: list }: Presence): void {
      people.set(scope, list);
      onChange();
    },
    /** The scope is let go of. */
    forget(scope: string): void {
      own.delete(scope);
      if (people.delete(scope)) onChange();
    },
    /** The line broke: nobody is known to be anywhere. */
    lost(): void {
      if (people.size === 0) return;
      people.clear();
      onChange();
    },
    /** As last heard, oneself included; the same list until it changes. */
    people: (scope: string): readonly PresentPerson[] => people.get(scope) ?? nobody,
  };
};
