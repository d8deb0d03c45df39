import { foldText } from '@zakup/domain/search-text';

/** A link to a nick, which ends where its path goes on. */
const link = /^(?:https?:\/\/)?(?:(?:www\.)?(?:t|telegram)\.me\/)@?([^/?]*).*$/u;
const between = /[^\p{L}\p{N}\p{M}\p{So}]+/u;
/** More words tell nothing new. */
const maxWords = 8;

const split = (text: string): readonly string[] => text.split(between).filter((word) => word !== '');

/** The words of a text that is searched. */
export const wordsOf = (text: string): readonly string[] => split(foldText(text));

/** The words that a person looks for; a pasted link is its nick. */
export const wantedWords = (typed: string): readonly string[] =>
  foldText(typed)
    .trim()
    .split(/\s+/u)
    .flatMap((word) => split(word.replace(link, '$1')))
    .slice(0, maxWords);

const whole = 4;
const beginning = 3;
const inside = 1;

/** How well one word fits: as a whole word, as the beginning of one, inside one, or (0) not at all. */
const fit = (words: readonly string[], wanted: string): number => {
  let best = 0;
  for (const word of words) {
    if (word === wanted) return whole;
    if (word.startsWith(wanted)) best = beginning;
    else if (best === 0 && word.includes(wanted)) best = inside;
  }
  return best;
};

/** Texts by which a thing is found, its title before the others. */
export interface Found {
  readonly title: readonly string[];
  readonly others: readonly string[];
}

/** How well a thing fits; 0 = one of the words is nowhere in it. What is in the title counts for more. */
export const scoreOf = ({ title, others }: Found, wanted: readonly string[]): number => {
  let score = 0;
  for (const word of wanted) {
    const best = Math.max(2 * fit(title, word), fit(others, word));
    if (best === 0) return 0;
    score += best;
  }
  return score;
};
