/** Calls `then` before each call of these methods of an object, which do what they did. */
export const onCall = (object: object, names: readonly string[], then: () => void): void => {
  for (const name of names) {
    const own = Reflect.get(object, name) as (...given: unknown[]) => unknown;
    Reflect.set(object, name, (...given: unknown[]) => {
      then();
      return Reflect.apply(own, object, given);
    });
  }
};
