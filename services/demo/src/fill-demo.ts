import { today } from '@zakup/domain/calendar';
import { DataDirRefused } from '@zakup/standalone/data-dir/data-dir-refused';
import { type DemoMark, readDemoMark, writeDemoMark } from '@zakup/standalone/data-dir/demo-mark';
import type { Demo } from '@zakup/standalone/standalone';
import { givePasswords } from './logins.ts';
import { storyIds } from './story/act.ts';
import { codesThatWork } from './story/people.ts';
import type { Scale } from './story/plan.ts';
import { storyDays } from './story/story.ts';
import { fillingLog, heldLog } from './seeding/filling-log.ts';
import { seedByThread } from './seeding/seed-by-thread.ts';

/** Raised whenever the same seed tells another story. */
const storyVersion = 1;
const day = 24 * 60 * 60 * 1000;

export interface FillingDemo {
  /** Without its last day, which is the one before the first start. */
  readonly scale: Omit<Scale, 'lastDay'>;
  /** UTC milliseconds. */
  readonly now: () => number;
  /** Told how much is made, from 0 to 100, when it is made at this start; nothing more is told of the story before it returns. */
  readonly onProgress: (percent: number) => Promise<void> | void;
}

/** What holds up readiness until everything is made. */
const part = 'demo';

const diskText = (path: string): string =>
  `На диске с папкой ${path} осталось меньше 500 МБ: демо собрано не до конца. Освободите место и запустите снова, сборка продолжится.`;

/**
 * Fills a demo's folder at its first start: the story is told to the log through the commands. Stopped, killed or out of disk in between, the
 * next start goes on with the same story; what is in the log already is not told twice.
 */
export const demo = ({ scale, now, onProgress }: FillingDemo): Demo => {
  let instant: number | null = null;
  return {
    codes: codesThatWork,
    clock: () => instant ?? now(),

    async fill({ eventStore, credentials }, { path, disk }, { config, readiness, stopping, atEnd }, accessCodesKey) {
      const fresh = { version: storyVersion, seed: scale.seed, lastDay: today(now() - day), told: 0, whole: false };
      let mark: DemoMark = (await readDemoMark(path)) ?? fresh;
      if (mark.whole) return null;
      if (mark.version !== storyVersion || mark.seed !== scale.seed) {
        throw new DataDirRefused(
          path,
          `Демо в папке ${path} начато другой версией программы и не закончено. Удалите папку: демо соберётся заново.`,
        );
      }
      await writeDemoMark(path, mark);
      const days = storyDays(scale);
      let said = -1;

      const fillAll = async (): Promise<void> => {
        try {
          await seedByThread({
            scale: { ...scale, lastDay: mark.lastDay },
            told: mark.told,
            logLevel: config.logLevel,
            accessCodesKey,
            eventStore,
            signal: stopping,
            onInstant: (at) => {
              instant = Math.max(at, instant ?? at);
            },
            refusal: () => (disk.readOnly ? new DataDirRefused(path, diskText(path)) : null),
            onDay: async (told) => {
              const percent = Math.floor((100 * told) / days);
              readiness.hold(part, `собираю год работы демо-команды: ${percent} %`);
              if (percent < said + 5 && percent < 100) return;
              said = percent;
              mark = { ...mark, told };
              await writeDemoMark(path, mark);
              await onProgress(percent);
            },
          });
          await givePasswords(credentials, storyIds(scale.seed));
          await writeDemoMark(path, { ...mark, whole: true });
        } finally {
          instant = null;
        }
        readiness.release(part);
      };
      readiness.hold(part, 'собираю год работы демо-команды');
      const filled = fillAll();
      // Whoever waits for it is told; nobody may come to that.
      filled.catch(() => undefined);
      atEnd({ name: part, run: () => filled.catch(() => undefined) });
      const ready = filled.then(() => readiness.ready());
      ready.catch(() => undefined);
      return { folded: fillingLog(eventStore, filled), sealed: heldLog(eventStore, ready), filled };
    },
  };
};
