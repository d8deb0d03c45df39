import type { ContractorWire } from '@zakup/contracts/wire-entities';
import { parseNick } from '@zakup/domain/nick';

const nickOf = (text: string): string | null => {
  const parsed = parseNick(text);
  return parsed.kind === 'nick' ? parsed.nick : null;
};

/** All spellings by which the contractor is found, the own one first. */
export const nicksOf = ({ adminUsername, otherUsernames = [] }: ContractorWire): readonly string[] => [
  adminUsername,
  ...otherUsernames,
];

/** Who goes by the nick, however it was typed; null when nobody of these does. */
export const holderOf = (contractors: readonly ContractorWire[], typed: string): ContractorWire | null => {
  const nick = nickOf(typed);
  if (nick === null) return null;
  return contractors.find((one) => nicksOf(one).some((own) => nickOf(own) === nick)) ?? null;
};
