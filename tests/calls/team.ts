import type { CampaignWire, ContractorWire, CreativeWire, PlacementWire } from '@zakup/contracts/wire-entities';
import type { ReplyData } from '@zakup/command/testing/command-service';
import {
  type GivenLicence,
  givenAdmin,
  givenCampaign,
  givenLicence,
  givenPerson,
  ownerPassword,
  personPassword,
} from '@zakup/command/testing/given';
import { defaultLicenceSettings } from '@zakup/domain/licence/licence-defaults';
import { features, type Person, personOf, type Role, roles } from '@zakup/domain/permissions';
import type { Asker } from './who-may.ts';
import { type WholeApi, wholeApi } from './whole-api.ts';

/** Somebody of the licence, signed in. */
export interface Actor {
  readonly id: string;
  readonly token: string;
  readonly person: Person;
  readonly password: string;
  /** A token of a session of its own, for calls that end one. */
  readonly signInAgain: () => Promise<ReplyData>;
}

/** A licence with a person of each role, and something of everything; another licence; the admin. */
export interface Team {
  readonly api: WholeApi;
  readonly licence: GivenLicence;
  readonly admin: string;
  readonly actors: Readonly<Record<Role, Actor>>;
  readonly owner: Actor;
  /** The same people by who asks: the CEO among them owns nothing. */
  readonly askers: Readonly<Record<Asker, Actor>>;
  /** A token of another licence's owner, of a session of its own. */
  readonly stranger: () => Promise<string>;
  readonly campaign: CampaignWire;
  readonly creative: CreativeWire;
  readonly contractor: ContractorWire;
  readonly placement: PlacementWire;
  /** What a placement is added with. */
  readonly placementBody: Readonly<Record<string, unknown>>;
  /** Does it as the owner, or as whose token is given; throws when refused. */
  readonly done: (
    method: string,
    path: string,
    body?: unknown,
    as?: { readonly token: string; readonly key?: string },
  ) => Promise<ReplyData>;
  /** A text that no other call of it gave. */
  readonly fresh: (prefix: string) => string;
}

const seats = { maxConcurrentSessions: 10_000 };

/** Fewer than a session may do at once. */
const changesOfASession = 300;

/** `more`: of the licence, as the admin issues it. */
export const givenTeam = async (more: object = {}): Promise<Team> => {
  const api = await wholeApi();
  const licence = await givenLicence(api, { ...seats, ...more });
  const stranger = await givenLicence(api, { ...seats, ownerName: 'Чужой' });
  let count = 0;
  const fresh = (prefix: string): string => {
    count += 1;
    return `${prefix}${count}`;
  };
  const own = { token: licence.owner, changes: 0 };
  const ownToken = async (): Promise<string> => {
    own.changes += 1;
    if (own.changes % changesOfASession === 0) {
      const body = { loginCode: licence.ownerCode, password: ownerPassword };
      own.token = (await done('POST', '/auth/ceo-login', body)).token;
    }
    return own.token;
  };
  const done: Team['done'] = async (method, path, body, given) => {
    const as = given ?? (path.startsWith('/auth/') ? {} : { token: await ownToken() });
    const reply = await api.call(method, path, body, as);
    if (reply.status !== 200) throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body.data;
  };

  const actorOf = async (role: Role, isOwner: boolean): Promise<Actor> => {
    const { id, token, authCode } = isOwner
      ? { id: licence.ownerId, token: licence.owner, authCode: licence.ownerCode }
      : await givenPerson(api, licence, role);
    const password = isOwner ? ownerPassword : personPassword;
    const employee = { id, name: '', role, permissions: null, isActive: true, isOwner };
    const open = { id: licence.id, features, settings: defaultLicenceSettings };
    return {
      id,
      token,
      password,
      person: personOf(employee, open, 'active'),
      signInAgain: () =>
        isOwner
          ? done('POST', '/auth/ceo-login', { loginCode: authCode, password })
          : done('POST', '/auth/employee-login', { authCode, password }),
    };
  };
  const actors = Object.fromEntries(
    await Promise.all(roles.map(async (role) => [role, await actorOf(role, role === 'CEO')] as const)),
  ) as Record<Role, Actor>;
  const askers = { ...actors, OWNER: actors.CEO, CEO: await actorOf('CEO', false) };

  const campaign = await givenCampaign(api, licence.owner, {
    participants: [{ userId: actors.MEDIA_BUYER.id, budget: 500, salaryType: 'budget', salaryRate: 10 }],
  });
  const { creative } = await done('POST', '/creatives', { name: 'Кот' });
  const placementBody = {
    campaignId: campaign.id,
    contractor: '@seller',
    buyerId: actors.MEDIA_BUYER.id,
    category: 'Мемы',
    price: 100,
  };
  const { placement } = await done('POST', '/placements', { ...placementBody, creativeId: creative.id });
  await done('POST', `/contractors/${placement.contractorId}/notes`, { note: 'Отвечает быстро' });
  const { contractor } = await done('POST', '/contractors', { adminUsername: '@other' });
  return {
    api,
    licence,
    admin: await givenAdmin(api),
    actors,
    owner: actors.CEO,
    askers,
    stranger: async () => {
      // Several calls ask for a password, which is another one there.
      await api.credentials.forgetTries(stranger.ownerId);
      const body = { loginCode: stranger.ownerCode, password: ownerPassword };
      return (await done('POST', '/auth/ceo-login', body)).token;
    },
    campaign,
    creative,
    contractor,
    placement,
    placementBody,
    done,
    fresh,
  };
};
