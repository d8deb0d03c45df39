/** Characters of a comment at most. */
export const maxCommentLength = 500;
export const maxPostUrlLength = 200;

/** Nothing in it that a person does not see, and nothing that ends an address in a text. */
const path = /^[^\s\p{C}\p{Z}"'<>\\^`{|}]+$/u;
const prefix = /^(?:https?:\/\/)?t\.me\//iu;

/**
 * The address of a post in Telegram as it was typed or pasted: `t.me/…` is completed, `http` becomes `https`; at most 200 characters then.
 * `null` = it is none.
 */
export const parsePostUrl = (text: string): string | null => {
  const typed = text.trim();
  const found = prefix.exec(typed);
  if (found === null) return null;
  const rest = typed.slice(found[0].length);
  const url = `https://t.me/${rest}`;
  return path.test(rest) && url.length <= maxPostUrlLength ? url : null;
};
