import { accessEntity } from './access/access.entity.ts';
import { activationDecider } from './activation/activation.decider.ts';
import { campaignDecider } from './campaign/campaign.decider.ts';
import type { Category, EventByCategory } from './catalog.ts';
import { channelDecider } from './channel/channel.decider.ts';
import { contractorDecider } from './contractor/contractor.decider.ts';
import { creativeDecider } from './creative/creative.decider.ts';
import type { DomainEvent, Entity } from './decider.ts';
import { employeeDecider } from './employee/employee.decider.ts';
import { importEntity, importLaneEntity } from './import/import.entity.ts';
import { keysDecider } from './keys/keys.decider.ts';
import { webhooksDecider } from './webhooks/webhooks.decider.ts';
import { licenceDecider } from './licence/licence.decider.ts';
import { placementDecider } from './placement/placement.decider.ts';
import { preferencesDecider } from './preferences/preferences.decider.ts';
import { savedViewsDecider } from './views/saved-views.decider.ts';
import { reservationDecider } from './reservation/reservation.decider.ts';

/** How the streams of each category fold. */
export const entityByCategory = {
  placement: placementDecider,
  contractor: contractorDecider,
  campaign: campaignDecider,
  channel: channelDecider,
  creative: creativeDecider,
  employee: employeeDecider,
  licence: licenceDecider,
  activation: activationDecider,
  access: accessEntity,
  keys: keysDecider,
  webhooks: webhooksDecider,
  preferences: preferencesDecider,
  views: savedViewsDecider,
  import: importEntity,
  importlane: importLaneEntity,
  nick: reservationDecider('nick'),
  email: reservationDecider('email'),
  authcode: reservationDecider('authcode'),
  chosencode: reservationDecider('chosencode'),
  licencekey: reservationDecider('licencekey'),
} as const satisfies Readonly<Record<Category, { readonly category: string }>>;

/** The state that streams of a category fold into. */
export type StateByCategory = {
  readonly [C in Category]: (typeof entityByCategory)[C] extends Entity<infer State, EventByCategory[C]>
    ? State
    : never;
};

/** An entity whose kind is known only when the program runs: give it decoded events of its own streams only. */
export type AnyEntity = Entity<unknown, DomainEvent>;

export const isCategory = (category: string): category is Category => Object.hasOwn(entityByCategory, category);

/** The first part of a stream's name, `<category>-<licenceId>~<id>`. */
export const categoryOf = (stream: string): string => stream.slice(0, Math.max(0, stream.indexOf('-')));

/** The entity of a stream, by its name; `null` for streams that are no entity's, e.g. of plans. */
export const entityOfStream = (stream: string): AnyEntity | null => {
  const category = categoryOf(stream);
  return isCategory(category) ? (entityByCategory[category] as unknown as AnyEntity) : null;
};
