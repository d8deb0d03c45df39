import { type BackOff, backOff } from '@zakup/async/back-off';
import type { Delay } from '@zakup/async/delay';
import type { Position } from '@zakup/event-store/event-store';
import type { SqliteEventStore } from '@zakup/event-store/sqlite/sqlite-event-store';
import type { ProjectorFigure } from '@zakup/projector/project';
import { ProjectorEnded } from '@zakup/projector/run-projector';
import type { CommitSignal } from '@zakup/read-store/commit-signals';
import { type ReadStore, ReadStoreUnavailable } from '@zakup/read-store/read-store';
import type { SealHead, SealHeads } from '@zakup/seals/seal-heads';
import type { Log } from '@zakup/service-kit/log';
import type { FromProjecting, HeadsWanted, NoteWanted, ToProjecting } from './messages.ts';
import { answerTo, OpenQuestions } from './open-questions.ts';

/** A thread that was started. */
export interface ThreadLine {
  post(message: ToProjecting): void;
  /** Resolves when the thread has ended; ends it when it does not by itself. */
  close(): Promise<void>;
}

export interface ProjectingClientOptions {
  /** Starts the thread; `over` is called once when it has ended, with the reason where there is one. */
  readonly start: (heard: (message: FromProjecting) => void, over: (reason: unknown) => void) => ThreadLine;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
  /** Told each time that the thread ended without being closed. */
  readonly onEnded: () => void;
  readonly onFigure: (figure: ProjectorFigure) => void;
  /** Waits until the thread is started anew. */
  readonly wait: Delay;
}

/** What the thread works for, once the stores are open. */
export interface ProjectingFor {
  readonly onPublished: SqliteEventStore['onPublished'];
  /** Those that lie with the credentials. */
  readonly heads: Pick<SealHeads, 'all' | 'note'>;
  readonly onCommitted: (commit: CommitSignal) => void;
}

const waits: BackOff = { first: 200, longest: 30_000 };

/** The serving thread's side: whoever uses the projector in it sees no difference. It is started anew, after a while, when it has ended. */
export class ProjectingClient {
  /** Resolves when it has caught up for the first time; rejects with `ProjectorEnded` when it is stopped before. */
  readonly caughtUp: Promise<void>;
  readonly #options: ProjectingClientOptions;
  readonly #stopping = new AbortController();
  readonly #notes = new OpenQuestions<NoteWanted, null>();
  #settle: { readonly resolve: () => void; readonly reject: (error: Error) => void } | undefined;
  /** Null: none is there now. */
  #line: ThreadLine | null = null;
  #works = false;
  /** Null: the stores are not open yet. */
  #for: ProjectingFor | null = null;
  #unfollow: () => void = () => undefined;
  #published: Position = 0;
  #doubted: readonly string[] = [];
  #witnessFails = false;
  /** Ends since it last caught up. */
  #ends = 0;

  /** The thread loads what it runs; it does nothing before `begin`. */
  constructor(options: ProjectingClientOptions) {
    this.#options = options;
    this.caughtUp = new Promise<void>((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    // Nobody has to wait for it.
    this.caughtUp.catch(() => undefined);
    this.#start();
  }

  begin(given: ProjectingFor): void {
    this.#for = given;
    this.#unfollow = given.onPublished((position) => {
      this.#published = position;
      if (this.#works) this.#line?.post({ kind: 'published', position });
    });
    this.#open();
  }

  /** As `LeasedProjector.doubted`. */
  doubted(): readonly string[] {
    return this.#doubted;
  }

  /** As `LeasedProjector.witnessFails`. */
  witnessFails(): boolean {
    return this.#witnessFails;
  }

  /** Whether a thread is there and projects. */
  works(): boolean {
    return this.#works;
  }

  /** As `ReadStore.note`: while no thread is there it waits for the next one. */
  note: ReadStore['note'] = async (name, data) => {
    if (this.#stopping.signal.aborted) throw new ReadStoreUnavailable('The thread that projects is closed');
    const wanted = { name, data };
    await this.#notes.ask(wanted, (number) => {
      if (this.#for !== null) this.#line?.post({ kind: 'note', number, wanted });
    });
  };

  /** Finishes the commit under way; resolves when the thread has ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#unfollow();
    await this.#line?.close();
    this.#works = false;
    this.#notes.giveUp(new ReadStoreUnavailable('The thread that projects is closed'));
    this.#settle?.reject(new ProjectorEnded('stopped'));
  }

  #start(): void {
    const line: ThreadLine = this.#options.start(
      (message) => this.#heard(line, message),
      (reason) => this.#over(reason),
    );
    this.#line = line;
    if (this.#for !== null) this.#open();
  }

  #open(): void {
    this.#line?.post({ kind: 'begin', published: this.#published });
    for (const [number, wanted] of this.#notes.unanswered()) this.#line?.post({ kind: 'note', number, wanted });
  }

  #over(reason: unknown): void {
    this.#line = null;
    this.#works = false;
    const { signal } = this.#stopping;
    if (signal.aborted) return;
    const { log, onEnded, wait } = this.#options;
    const milliseconds = backOff(waits, this.#ends);
    this.#ends += 1;
    onEnded();
    log.error({ err: reason, milliseconds }, 'The thread that projects has ended, and is started anew');
    void this.#startAfter(wait(milliseconds, signal));
  }

  async #startAfter(waited: Promise<void>): Promise<void> {
    await waited;
    if (!this.#stopping.signal.aborted) this.#start();
  }

  #heard(line: ThreadLine, message: FromProjecting): void {
    switch (message.kind) {
      case 'begun':
        this.#works = true;
        // It compares anew, and tells what it finds.
        this.#doubted = [];
        this.#witnessFails = false;
        line.post({ kind: 'published', position: this.#published });
        return;
      case 'caught_up':
        this.#ends = 0;
        this.#settle?.resolve();
        return;
      case 'committed':
        this.#for?.onCommitted(message.commit);
        return;
      case 'doubted':
        this.#doubted = message.licences;
        return;
      case 'figure':
        if (message.figure.of === 'witness') this.#witnessFails = message.figure.outcome === 'failed';
        this.#options.onFigure(message.figure);
        return;
      case 'logged':
        this.#options.log[message.level](message.details, message.message);
        return;
      case 'noted':
        this.#notes.answered(message.answered);
        return;
      case 'heads':
        void this.#answerHeads(line, message.number, message.wanted);
    }
  }

  async #answerHeads(line: ThreadLine, number: number, wanted: HeadsWanted): Promise<void> {
    const answered = await answerTo(number, async (): Promise<readonly SealHead[]> => {
      if (this.#for === null) throw new Error('The stores are not open yet');
      const { heads } = this.#for;
      if (wanted.of === 'all') return heads.all();
      await heads.note(wanted.head);
      return [];
    });
    line.post({ kind: 'heads', answered });
  }
}
