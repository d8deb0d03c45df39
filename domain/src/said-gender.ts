/** How a verb in the past tense agrees with a person; `null` = their name does not tell. */
export type Gender = 'feminine' | 'masculine' | null;

const feminineSurname = /(?:ова|ева|ёва|ина|ына|ская|цкая)$/u;
const masculineSurname = /(?:ов|ев|ёв|ин|ын|ский|цкий)$/u;
/** First names of men that end as those of women do, in lower case. */
const masculineNames: ReadonlySet<string> = new Set(['илья', 'никита', 'данила', 'лука', 'савва', 'фома', 'кузьма']);

/** Of «Имя Фамилия»: only where both agree, so that nobody is called what they are not. */
export const genderOf = (name: string): Gender => {
  const words = name.trim().toLowerCase().split(/\s+/u);
  const [first = '', last = ''] = [words[0], words.at(-1)];
  if (words.length < 2) return null;
  const soundsMasculine = masculineNames.has(first) || /[бвгджзйклмнпрстфхцчшщ]$/u.test(first);
  const soundsFeminine = !masculineNames.has(first) && /[аяь]$/u.test(first);
  if (feminineSurname.test(last) && soundsFeminine) return 'feminine';
  return masculineSurname.test(last) && soundsMasculine ? 'masculine' : null;
};
