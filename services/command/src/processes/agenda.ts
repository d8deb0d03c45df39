import type { Process, Step } from './process.ts';

/** One subject of one process. */
export interface Item {
  readonly process: Process;
  readonly subject: string;
}

export interface Due extends Item {
  readonly step: Step;
}

/** What is to be looked at and what is to be done when, in memory: each subject stands in it once. */
export const agenda = () => {
  const toLookAt = new Map<string, Item>();
  const steps = new Map<string, Due>();
  const failed = new Map<string, Item>();

  const keyOf = ({ process, subject }: Item): string => `${process.name}/${subject}`;

  return {
    /** Something may have changed for it. */
    lookAt({ process, subject }: Item): void {
      toLookAt.set(keyOf({ process, subject }), { process, subject });
    },

    hasLooks: (): boolean => toLookAt.size > 0,

    /** Takes the next one that is to be looked at. */
    takeLook(): Item | null {
      for (const [key, item] of toLookAt) {
        toLookAt.delete(key);
        return item;
      }
      return null;
    },

    /** What comes next for it; null = nothing. */
    plan(item: Item, step: Step | null): void {
      const key = keyOf(item);
      if (step === null) steps.delete(key);
      else steps.set(key, { ...item, step });
    },

    /** The step that is due first. */
    earliest(): Due | null {
      let first: Due | null = null;
      for (const due of steps.values()) if (first === null || due.step.at < first.step.at) first = due;
      return first;
    },

    /** Sets it aside until `retry`, so that it holds up no other. */
    fail(item: Item): void {
      const key = keyOf(item);
      steps.delete(key);
      failed.set(key, item);
    },

    failures: (): number => failed.size,

    retry(): void {
      for (const [key, item] of failed) toLookAt.set(key, item);
      failed.clear();
    },
  };
};

export type Agenda = ReturnType<typeof agenda>;
