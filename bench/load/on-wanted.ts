/** Makes this process carry out what the one that forked it asks, answering each message; it fails loudly and ends with the other. */
export const onWanted = (carryOut: (wanted: never) => Promise<object>): void => {
  const answer = async (wanted: never): Promise<void> => {
    try {
      process.send?.(await carryOut(wanted));
    } catch (error) {
      console.error(error);
      process.exit(1);
    }
  };
  process.on('message', (wanted) => void answer(wanted as never));
  process.on('disconnect', () => process.exit(0));
};
