import { CredentialsUnavailable } from '../credentials.ts';

/** One request's time; `left` in milliseconds. */
export interface Patience {
  readonly left: () => number;
  /** Waits, but not longer than the time that is left. */
  readonly pause: (milliseconds: number) => Promise<void>;
}

/**
 * The work's answer, or `CredentialsUnavailable` when it takes longer. The work cannot be taken back from a server that is silent: it
 * has to look at the time before every step that counts.
 */
export const withPatience = async <Result>(
  { where, milliseconds }: { readonly where: string; readonly milliseconds: number },
  work: (patience: Patience) => Promise<Result>,
): Promise<Result> => {
  const until = performance.now() + milliseconds;
  const left = (): number => Math.max(0, until - performance.now());
  const pause = (wanted: number): Promise<void> =>
    new Promise((resolve) => {
      setTimeout(resolve, Math.min(wanted, left()));
    });
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new CredentialsUnavailable(`Credential store ${where}: no answer within ${milliseconds} ms`));
    }, milliseconds);
  });
  try {
    return await Promise.race([work({ left, pause }), over]);
  } finally {
    clearTimeout(timer);
  }
};
