/** A text as searches compare it: whatever the case, «ё» as «е», and however its letters are composed. */
export const foldText = (text: string): string => text.normalize('NFKC').toLowerCase().replaceAll('ё', 'е');

const withoutAt = (text: string): string => foldText(text).trim().replace(/^@/u, '');

/** Asks texts whether they contain what was typed; a leading @ makes no difference, and nothing typed is everywhere. */
export const containing = (typed: string): ((text: string) => boolean) => {
  const wanted = withoutAt(typed);
  return (text) => withoutAt(text).includes(wanted);
};
