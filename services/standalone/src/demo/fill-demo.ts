import { today } from '@zakup/domain/calendar';
import { DataDirRefused } from '../data-dir/data-dir-refused.ts';
import { type DemoMark, readDemoMark, writeDemoMark } from '../data-dir/demo-mark.ts';
import type { Demo } from '../standalone.ts';
import { givePasswords } from './logins.ts';
import { codesThatWork } from './story/people.ts';
import type { Scale } from './story/plan.ts';
import { story } from './story/story.ts';
import { tellStory } from './tell-story.ts';

/** Raised whenever the same seed tells another story. */
const storyVersion = 1;
const day = 24 * 60 * 60 * 1000;

export interface FillingDemo {
  /** Without its last day, which is the one before the first start. */
  readonly scale: Omit<Scale, 'lastDay'>;
  /** UTC milliseconds. */
  readonly now: () => number;
  /** Told how much is made, from 0 to 100, when it is made at this start. */
  readonly onProgress: (percent: number) => void;
}

/**
 * Fills a demo's folder at its first start: the story is told to the log through the commands. Stopped or killed in between, the next
 * start goes on with the same story; what is in the log already is not told twice.
 */
export const demo = ({ scale, now, onProgress }: FillingDemo): Demo => {
  let instant: number | null = null;
  return {
    codes: codesThatWork,
    clock: () => instant ?? now(),

    async fill({ eventStore, readStore, credentials }, { path }, { log, metrics, stopping }) {
      const fresh = { version: storyVersion, seed: scale.seed, lastDay: today(now() - day), told: 0, whole: false };
      let mark: DemoMark = (await readDemoMark(path)) ?? fresh;
      if (mark.whole) return;
      if (mark.version !== storyVersion || mark.seed !== scale.seed) {
        throw new DataDirRefused(
          path,
          `Демо в папке ${path} начато другой версией программы и не закончено. Удалите папку: демо соберётся заново.`,
        );
      }
      await writeDemoMark(path, mark);
      const { ids, ...told } = story({ ...scale, lastDay: mark.lastDay });
      let said = -1;
      try {
        const whole = await tellStory(
          { ids, ...told },
          {
            eventStore,
            readStore,
            log,
            metrics,
            told: mark.told,
            signal: stopping,
            onInstant: (at) => {
              instant = Math.max(at, instant ?? at);
            },
            onDay: async (days) => {
              const percent = Math.floor((100 * days) / told.days.length);
              if (percent < said + 5 && percent < 100) return;
              said = percent;
              mark = { ...mark, told: days };
              await writeDemoMark(path, mark);
              onProgress(percent);
            },
          },
        );
        if (!whole) throw new Error('The demo was stopped before it was made');
        await givePasswords(credentials, ids);
        await writeDemoMark(path, { ...mark, whole: true });
      } finally {
        instant = null;
      }
    },
  };
};
