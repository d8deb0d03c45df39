import type { Position } from '@zakup/event-store/event-store';

export interface KeptMoment<Answer> {
  readonly position: Position;
  /** The questions that it answers. */
  readonly asked: Set<string>;
  readonly past: Promise<Answer>;
  /** How many documents were changed since the snapshot before it, once it is folded. */
  weight: number;
}

/** The moments that were asked for last. */
export class KeptMoments<Answer> {
  readonly #capacity: number;
  /** Last used last. */
  #moments: readonly KeptMoment<Answer>[] = [];

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  answering(question: string): KeptMoment<Answer> | undefined {
    return this.#moments.find(({ asked }) => asked.has(question));
  }

  at(position: Position): KeptMoment<Answer> | undefined {
    return this.#moments.find((one) => one.position === position);
  }

  use(one: KeptMoment<Answer>): Promise<Answer> {
    this.#moments = [...this.#moments.filter((other) => other !== one), one].slice(-this.#capacity);
    return one.past;
  }

  forget(one: KeptMoment<Answer>): void {
    this.#moments = this.#moments.filter((other) => other !== one);
  }

  clear(): void {
    this.#moments = [];
  }

  weight(): number {
    return this.#moments.reduce((sum, { weight }) => sum + weight, 0);
  }
}
