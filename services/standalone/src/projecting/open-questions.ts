import type { Answered, Failure } from './messages.ts';

interface Open<Wanted, Answer> {
  readonly wanted: Wanted;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

/** What another thread was asked and has not answered, in the order in which it was asked. */
export class OpenQuestions<Wanted, Answer> {
  readonly #open = new Map<number, Open<Wanted, Answer>>();
  #asked = 0;

  /** `post`: sends the question with its number. */
  ask(wanted: Wanted, post: (number: number) => void): Promise<Answer> {
    this.#asked += 1;
    const number = this.#asked;
    return new Promise((resolve, reject) => {
      this.#open.set(number, { wanted, resolve, reject });
      post(number);
    });
  }

  /** One that nobody waits for says nothing. */
  answered(answered: Answered<Answer>): void {
    const question = this.#open.get(answered.number);
    this.#open.delete(answered.number);
    if (answered.kind === 'answered') question?.resolve(answered.answer);
    else question?.reject(Object.assign(new Error(answered.failure.message), { name: answered.failure.name }));
  }

  unanswered(): readonly (readonly [number: number, wanted: Wanted])[] {
    return [...this.#open].map(([number, { wanted }]) => [number, wanted]);
  }

  /** Nobody will answer. */
  giveUp(error: Error): void {
    for (const { reject } of this.#open.values()) reject(error);
    this.#open.clear();
  }
}

const failureOf = (error: unknown): Failure => {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  return { name, message };
};

/** What the work comes to, as it is sent to who asked. */
export const answerTo = async <Answer>(number: number, work: () => Promise<Answer>): Promise<Answered<Answer>> => {
  try {
    return { number, kind: 'answered', answer: await work() };
  } catch (error) {
    return { number, kind: 'failed', failure: failureOf(error) };
  }
};
