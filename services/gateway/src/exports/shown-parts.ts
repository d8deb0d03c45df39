import { catalogEntry, codeMembers } from '@zakup/domain/catalog';
import { categoryOf } from '@zakup/domain/entities';
import { may, type Person } from '@zakup/domain/permissions';
import type { RecordedEvent } from '@zakup/event-store/event-store';
import type { IsShown } from '@zakup/seals/bundle';
import { seesOthersEarnings } from '@zakup/contracts/shown-event';

/** What signs people in, and a hash from which a short body could be guessed: nobody is shown these. */
const secrets: ReadonlySet<string> = new Set(['requestHash', ...[...codeMembers].map((name) => `data.${name}`)]);

/** Members of a person's record that go with the marked ones. */
const ofPeople: ReadonlySet<string> = new Set(['permissions', 'salaryType', 'salaryRate', 'performanceThreshold']);

/** Categories of streams that are named after a hash of somebody's value. */
const namedAfterPeople: ReadonlySet<string> = new Set(['email', 'nick']);

const userIdsIn = (value: unknown): readonly unknown[] =>
  (Array.isArray(value) ? value : [value]).map((one: unknown) =>
    typeof one === 'object' && one !== null && 'userId' in one ? one.userId : null,
  );

/** The terms of pay in a campaign's participants are of nobody but the person. */
const isOwnTerms = (value: unknown, { userId }: Person): boolean => userIdsIn(value).every((id) => id === userId);

/** What this person may see of an event; everything else appears in the bundle as its hash. */
export const shownTo = (person: Person): IsShown => {
  const people = may(person, 'people.read').allowed;
  const terms = seesOthersEarnings(person);
  return (event: RecordedEvent, part: string): boolean => {
    if (secrets.has(part)) return false;
    if (part === 'stream') return people || !namedAfterPeople.has(categoryOf(event.stream));
    const [, name] = /^data\.(.*)$/su.exec(part) ?? [];
    if (name === undefined) return true;
    const entry = catalogEntry(event.type);
    // Nobody can say whose data a type holds that this version does not know.
    if (entry === null) return false;
    if (!people && (entry.personal.includes(name) || (entry.categories.includes('employee') && ofPeople.has(name))))
      return false;
    if (name === 'participants' || name === 'participant') return terms || isOwnTerms(event.data[name], person);
    return true;
  };
};
