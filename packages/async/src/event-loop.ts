/** Lets everything else that waits for the event loop have its turn; `yieldIfDue` does so only when it is due. */
export const yieldToEventLoop = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });
