import { declaredFields } from '@zakup/contracts/read-models';
import { type SqliteLogFollower, sqliteLogFollower } from '@zakup/event-store/sqlite/log-follower';
import { inProcessLeases } from '@zakup/projector/in-process-leases';
import type { LeasedProjector } from '@zakup/projector/leased-projector';
import { project, type ProjectorSurroundings } from '@zakup/projector/project';
import type { ReadStore } from '@zakup/read-store/read-store';
import { sqliteReadStore } from '@zakup/read-store/sqlite/sqlite-read-store';
import type { SealHead, SealHeads } from '@zakup/seals/seal-heads';
import type { SealStore } from '@zakup/seals/seal-store';
import { sqliteSealStore } from '@zakup/seals/sqlite/sqlite-seal-store';
import { loggedError } from '@zakup/service-kit/log';
import { allPartitions } from '@zakup/service-kit/stores/all-partitions';
import { checkpointHeads } from '@zakup/service-kit/stores/kept-heads';
import { nextFence } from '../next-fence.ts';
import type { FromProjecting, HeadsWanted, NoteWanted, ToProjecting } from './messages.ts';
import { answerTo, OpenQuestions } from './open-questions.ts';
import type { ProjectingData } from './projecting-data.ts';

type Say = (message: FromProjecting) => void;

/** The log of the process, whose lines are written by the serving thread. */
const toldLog = (say: Say): ProjectorSurroundings['log'] => {
  const telling =
    (level: 'info' | 'warn' | 'error') =>
    (details: object, message: string): void => {
      const plain = Object.entries(details).map(([name, value]: [string, unknown]) => [
        name,
        value instanceof Error ? loggedError(value) : value,
      ]);
      say({ kind: 'logged', level, details: Object.fromEntries(plain) as object, message });
    };
  return { info: telling('info'), warn: telling('warn'), error: telling('error') };
};

/** The last seals that lie with the credentials, of which only the serving thread is the writer. */
class HeadsElsewhere implements SealHeads {
  readonly where: string;
  readonly questions = new OpenQuestions<HeadsWanted, readonly SealHead[]>();
  readonly #say: Say;

  constructor(where: string, say: Say) {
    this.where = where;
    this.#say = say;
  }

  all(): Promise<readonly SealHead[]> {
    return this.#ask({ of: 'all' });
  }

  async note(head: SealHead): Promise<void> {
    await this.#ask({ of: 'note', head });
  }

  async forget(): Promise<never> {
    throw new Error('The last seals are forgotten only where nothing is sealed');
  }

  #ask(wanted: HeadsWanted): Promise<readonly SealHead[]> {
    return this.questions.ask(wanted, (number) => this.#say({ kind: 'heads', number, wanted }));
  }
}

interface Opened {
  readonly eventStore: SqliteLogFollower;
  readonly readStore: ReadStore;
  readonly seals: SealStore;
}

/** The thread's side: opens its stores when they are there, and projects and seals until it is closed. */
export class ProjectingServer {
  readonly #data: ProjectingData;
  readonly #say: Say;
  readonly #heads: HeadsElsewhere;
  #opened: Opened | null = null;
  #projector: Promise<LeasedProjector> | null = null;

  constructor(data: ProjectingData, say: Say) {
    this.#data = data;
    this.#say = say;
    this.#heads = new HeadsElsewhere(data.files.credentials, say);
  }

  /** Throws when a store cannot be opened: the thread is of no use then. */
  take(message: Exclude<ToProjecting, { kind: 'close' }>): void {
    switch (message.kind) {
      case 'begin':
        this.#begin(message.published);
        return;
      case 'published':
        this.#opened?.eventStore.published(message.position);
        return;
      case 'note':
        void this.#note(message.number, message.wanted);
        return;
      case 'heads':
        this.#heads.questions.answered(message.answered);
    }
  }

  /** Finishes the commit under way; resolves when its files are closed. */
  async close(): Promise<void> {
    await (await this.#projector)?.stop();
    if (this.#opened === null) return;
    const { eventStore, readStore, seals } = this.#opened;
    await Promise.allSettled([eventStore.close(), readStore.close(), seals.close()]);
  }

  #begin(published: number): void {
    const { files } = this.#data;
    const opened: Opened = {
      readStore: sqliteReadStore({ file: files.readModels, declared: declaredFields }),
      eventStore: sqliteLogFollower({ file: files.events, published }),
      seals: sqliteSealStore({ file: files.seals }),
    };
    this.#opened = opened;
    this.#projector = this.#project(opened);
  }

  async #project({ eventStore, readStore, seals }: Opened): Promise<LeasedProjector> {
    const { files, sealKey, witness, tellsSteps } = this.#data;
    const say = this.#say;
    readStore.onCommit((commit) => say({ kind: 'committed', commit }));
    // What a thread before this one committed last it may not have told.
    const checkpoint = await readStore.checkpoint(allPartitions);
    if (checkpoint !== null)
      say({ kind: 'committed', commit: { partition: allPartitions, position: checkpoint.position } });
    const projector = project(
      {
        log: toldLog(say),
        onFigure: (figure) => say({ kind: 'figure', figure }),
        tellsSteps,
        onDoubts: (licences) => say({ kind: 'doubted', licences }),
      },
      {
        eventStore,
        readStore,
        leases: inProcessLeases({ fence: await nextFence({ readStore, seals }) }),
        seals,
        heads: [this.#heads, checkpointHeads(readStore, files.readModels)],
      },
      { sealKey, witness },
    );
    say({ kind: 'begun' });
    projector.caughtUp.then(
      () => say({ kind: 'caught_up' }),
      () => undefined,
    );
    return projector;
  }

  async #note(number: number, { name, data }: NoteWanted): Promise<void> {
    const answered = await answerTo(number, async () => {
      if (this.#opened === null) throw new Error('The read models are not open yet');
      await this.#opened.readStore.note(name, data);
      return null;
    });
    this.#say({ kind: 'noted', answered });
  }
}
