import { derivedEventId } from '@zakup/command/pipeline/ids';
import { commandKeyOf, derivedId } from '@zakup/contracts/derived-ids';

/** One request that a person of the story makes, as the screens make it. */
export interface Act {
  /** UTC milliseconds. */
  readonly at: number;
  /** Id of a person. */
  readonly by: string;
  /** The same each time the story is told. */
  readonly commandId: string;
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/api`. */
  readonly path: string;
  readonly body?: object;
  readonly source: 'screen' | 'phone';
}

/** Ids of a story's licence, people and everything that they make, known before it is told. */
export interface StoryIds {
  readonly licence: string;
  readonly owner: string;
  readonly command: (name: string) => string;
  /** What the command of this name, by this person, makes. */
  readonly made: (by: string, name: string, purpose: string) => string;
}

export const storyIds = (seed: number): StoryIds => {
  const licence = derivedId(`demo/${seed}`, 'licence').slice(0, 16);
  const command = (name: string): string => derivedEventId(`demo/${seed}/${name}`, 0);
  return {
    licence,
    owner: derivedId(licence, 'owner'),
    command,
    made: (by, name, purpose) => derivedId(commandKeyOf(by, command(name)), purpose),
  };
};
