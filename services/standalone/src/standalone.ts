import { commandOn } from '@zakup/command/start-command';
import { codeCipher } from '@zakup/credentials/code-cipher';
import type { EventStore } from '@zakup/event-store/event-store';
import { hasSkips, positionCount } from '@zakup/event-store/sqlite/skipped-positions';
import { gatewayOn } from '@zakup/gateway/start-gateway';
import { historyAlarm } from '@zakup/projector/project';
import type { ClockAlarm } from '@zakup/service-kit/clock-alarm';
import type { RateLimit } from '@zakup/service-kit/rate-limit';
import { type Service, type ServiceContext, type ServiceStart, startService } from '@zakup/service-kit/service';
import { onServers } from '@zakup/service-kit/stores/on-servers';
import { measureService } from '@zakup/service-kit/service-figures';
import { serviceNames } from '@zakup/service-kit/service-names';
import { type BackupSchedule, backupSchedule } from './backup/backup-schedule.ts';
import type { DataDir } from './data-dir/data-dir.ts';
import { storeBytes } from './data-dir/store-bytes.ts';
import { storeFiles } from './data-dir/store-files.ts';
import type { DiskSpaceOptions } from './data-dir/disk-space.ts';
import { openedBeside, type Projecting, projectingBeside, projectingHere } from './projecting/projecting.ts';
import { projectingThread } from './projecting/projecting-thread.ts';
import { readingThread } from './reading/reading-thread.ts';
import { describePlaces, findPlaces, openStores, type Stores } from './stores.ts';
import { scriptHashesOf, webFiles } from './web-files.ts';

export interface StandaloneOptions extends ServiceStart {
  /** Folder of the built web app. */
  readonly webDist: string;
  /** How the free space is watched; tests make it scarce. */
  readonly disk?: DiskSpaceOptions;
  /** Changes per session; benchmarks and kill tests raise it, and say so. */
  readonly changes?: RateLimit;
  /** What fills the stores of a demo; absent = this is an ordinary start, and a demo's folder is refused. */
  readonly demo?: Demo;
  /** Told the admin's password when it was made at this start, this once. */
  readonly onMadeAdmin?: (password: string) => void;
}

/** A start with made-up data and logins that everybody may know. */
export interface Demo {
  /** The log's clock, in UTC milliseconds. */
  readonly clock: () => number;
  /** Begins to fill the stores; `dataDir` is the demo's own. Null = they are filled. */
  readonly fill: (
    stores: Stores,
    dataDir: DataDir,
    context: ServiceContext,
    accessCodesKey: Uint8Array,
  ) => Promise<Filling | null>;
  /** A wrong code is answered with these (AUTH-23). */
  readonly codes: readonly [string, string];
}

/** Stores that are being filled: the read models follow, nothing is served and nobody else writes. */
export interface Filling {
  /** The log as the read models follow it: they have not caught up with it before it is filled. */
  readonly folded: EventStore;
  /** As sealing does, for which nobody waits: it begins once everything else is ready. */
  readonly sealed: EventStore;
  /** Resolves when everything is in the stores; rejects with what forbids the start. */
  readonly filled: Promise<void>;
}

export interface Standalone extends Service {
  /** Where each store lies, for people. */
  readonly stores: ReturnType<typeof describePlaces>;
}

const readOnlyText = 'На диске осталось меньше 500 МБ: изменения не принимаются, пока место не освободят';

const clockText = (alarm: ClockAlarm | null): Readonly<Record<string, string>> =>
  alarm === null ? {} : { clock: 'часы ушли вперёд: события записываются более ранним временем' };

/**
 * Command, projector and gateway in one process, on embedded stores or on the servers that the settings name. Throws when the data folder
 * cannot be used or the port is not free; `opened` rejects when a store cannot be used.
 */
export const startStandalone = async (options: StandaloneOptions): Promise<Standalone> => {
  const { config, webDist, disk, changes, demo, onMadeAdmin = () => undefined, ...start } = options;
  const places = await findPlaces(config, { disk, use: demo === undefined ? 'ordinary' : 'demo', serves: true });
  const { dataDir, jwtSecret, sealKey, accessCodesKey } = places;
  if (sealKey === null) throw new Error('There is no key to seal with');
  const codes = codeCipher(accessCodesKey);
  const readOnly = (): string | null => (dataDir?.disk.readOnly === true ? readOnlyText : null);

  let projecting: Projecting | null = null;
  let backups: BackupSchedule | undefined;
  let clockAlarm: Stores['clockAlarm'];
  const begun = startService({
    ...start,
    config,
    about: () => ({ ...historyAlarm(projecting), ...clockText(clockAlarm?.() ?? null), ...backups?.about() }),
    pages: { handler: webFiles(webDist), scriptHashes: scriptHashesOf(webDist) },
    async begin(context) {
      const { atEnd, readiness } = context;
      if (dataDir !== null) atEnd({ name: 'data folder', run: () => dataDir.close() });
      // Where the read models are on a server, another process may be the one that projects.
      const models = places.readStore !== null;
      const files = dataDir !== null && places.eventStore === null && !models ? storeFiles(dataDir.path) : null;
      const witness = demo === undefined ? config.sealWitness : null;
      const thread = files === null ? null : projectingThread(context, { files, sealKey, witness });
      const open = (): Promise<Stores> => openStores(context, places, { clock: demo?.clock });
      const opened = await (thread === null ? open() : openedBeside(context, thread, open));
      const filling =
        demo === undefined || dataDir === null ? null : await demo.fill(opened, dataDir, context, accessCodesKey);
      const { stores: right, watch } = await onServers(context, places, opened, { models });
      // What is being filled is followed here, as its filling tells.
      if (filling !== null) void thread?.stop();
      const projector =
        thread === null || files === null || filling !== null
          ? projectingHere(
              context,
              { ...right, eventStore: filling?.folded ?? right.eventStore },
              { sealKey, sealed: filling?.sealed, witness },
            )
          : projectingBeside(context, thread, files, right);
      projecting = projector;
      const stores: Stores = { ...right, readStore: projector.readStore };
      clockAlarm = opened.clockAlarm;
      if (!models) {
        readiness.hold('catchUp', 'модели чтения догоняют журнал');
        projector.caughtUp.then(
          () => readiness.release('catchUp'),
          () => undefined,
        );
      }
      await filling?.filled;
      const reading =
        files === null ? undefined : readingThread(context, { files, accessCodesKey, readStore: stores.readStore });
      projector.caughtUp.then(
        () => reading?.begin(),
        () => undefined,
      );
      if (dataDir !== null && files !== null) {
        backups = backupSchedule({ ...context, dataDir: dataDir.path, backups: config.backups });
        atEnd({ name: 'backups', run: () => backups?.stop() });
      }
      const figures = {
        command: measureService(context, 'command'),
        projector: measureService(context, 'projector'),
        gateway: measureService(context, 'gateway'),
      };
      const gateway = gatewayOn(context, stores, {
        thread: reading,
        jwtSecret,
        codes,
        readOnly,
        backups,
        clockAlarm,
        freeDiskBytes: () => dataDir?.disk.freeBytes ?? null,
        adminEmails: config.adminEmails,
        adminSecondFactor: config.adminSecondFactor,
        positionsCountEvents: places.eventStore === null && !(await hasSkips(stores.eventStore)),
        ...(places.eventStore === null && { eventsUpTo: await positionCount(stores.eventStore) }),
        // They are this process, which answers.
        services: () =>
          Promise.all(
            serviceNames.map(async (name) => ({
              name,
              ok: name !== 'projector' || projector.works(),
              ...(await figures[name]()),
            })),
          ),
        ...(dataDir !== null && {
          storeBytes: () =>
            storeBytes(dataDir.path, { events: places.eventStore === null, readModels: places.readStore === null }),
        }),
      });
      const settings = { jwtSecret, codes, readOnly, changes, onMadeAdmin, demoCodes: demo?.codes, backups };
      const command = await commandOn(context, stores, settings, places.readStore);
      await watch();
      return [gateway, command];
    },
  });
  try {
    return { ...(await begun), stores: describePlaces(places) };
  } catch (error) {
    dataDir?.close();
    throw error;
  }
};
