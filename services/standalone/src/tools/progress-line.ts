import { soon } from './with-stores.ts';

/** Where lines are written; `isTTY`: a terminal, on which a line can be written over. */
export interface ProgressOut {
  readonly isTTY?: boolean | undefined;
  write(text: string): unknown;
}

export interface ProgressLine {
  /** Shows how far the work is, on a terminal in place of what was shown, else from time to time; `last`: in any case. */
  show(text: string, last?: boolean): void;
  /** What is written next begins a line. Once more does nothing. */
  end(): void;
}

/** One line that tells how far a work is. */
export const progressLine = (out: ProgressOut, now: () => number = () => performance.now()): ProgressLine => {
  const every = out.isTTY === true ? 100 : soon;
  let at = now();
  let isOpen = false;
  return {
    show(text, last = false) {
      if (now() - at < every && !(last && isOpen)) return;
      at = now();
      if (out.isTTY === true) {
        out.write(`\r\u001b[K${text}`);
        isOpen = true;
      } else {
        out.write(`${text}\n`);
      }
    },
    end() {
      if (isOpen) out.write('\n');
      isOpen = false;
    },
  };
};
