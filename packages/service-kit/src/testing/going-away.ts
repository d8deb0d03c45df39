/** What adapters throw while their server is away. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}

/** A store whose server can go away: meanwhile every call that answers with a promise rejects, as an adapter's does. */
export const goingAway = <Store extends object>(store: Store): { readonly store: Store; away: boolean } => {
  const state = {
    away: false,
    store: new Proxy(store, {
      get(target, member) {
        const value: unknown = Reflect.get(target, member);
        if (typeof value !== 'function' || member === 'close') return value;
        const call = value as (...args: unknown[]) => unknown;
        return (...args: unknown[]): unknown => {
          const result = state.away ? undefined : call.apply(target, args);
          return state.away && isAsked(member) ? Promise.reject(new StoreUnavailable('away')) : result;
        };
      },
    }),
  };
  return state;
};

/** Listeners stay: what is told goes on when the server is back. */
const isAsked = (member: string | symbol): boolean => !String(member).startsWith('on');
