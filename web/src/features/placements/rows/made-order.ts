import { commandKeyOf, derivedId } from '@zakup/contracts/derived-ids';
import { newCommandId } from '../../../shared/api/new-command-id.ts';
import type { CommandDraft, DraftPart, Entry } from '../../../shared/outbox/entry.ts';

const isMaking = ({ target }: DraftPart): boolean => target.id === null && !('part' in target);

/**
 * The same batch with its new placements laid so that their ids rise in the order in which they were given. All of them are made in one
 * moment, so that it is their ids by which they stand in tables, lists and files (TABLE-8). What an earlier part makes is changed behind all
 * that are made.
 */
export const inMadeOrder = (draft: CommandDraft, personId: string): CommandDraft => {
  const { parts = [] } = draft;
  const id = newCommandId();
  const commandKey = commandKeyOf(personId, id);
  const places = parts.flatMap((part, place) => (isMaking(part) ? [place] : []));
  const rising = places
    .map((place) => ({ place, made: derivedId(commandKey, `placement/${place}`) }))
    .sort((a, b) => (a.made < b.made ? -1 : 1));
  const placeOf = new Map(places.map((place, at) => [place, rising[at]?.place ?? place]));
  const laid = [...parts];
  for (const [from, to] of placeOf) laid[to] = parts[from] as DraftPart;
  const repointed = laid.map((part): DraftPart => {
    const { target } = part;
    return 'part' in target ? { ...part, target: { ...target, part: placeOf.get(target.part) ?? target.part } } : part;
  });
  return places.length < 2 ? draft : { ...draft, id, parts: repointed };
};

/** The id of the first placement that a command makes, as they were given; null = it makes none. */
export const firstMade = (entry: Entry | undefined): string | null => {
  const made = (entry?.parts ?? (entry === undefined ? [] : [entry])).filter(({ creates }) => creates === true);
  return made.map(({ target }) => target.id).sort()[0] ?? null;
};
