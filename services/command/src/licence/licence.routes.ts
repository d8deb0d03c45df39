import type { Problem } from '@zakup/contracts/problems';
import type { Session } from '@zakup/credentials/credentials';
import { presentLicense } from '@zakup/contracts/to-wire';
import { closeLicenceRequest, licenceSettingsRequest } from '@zakup/contracts/requests/auth.requests';
import type { LicenceEvent } from '@zakup/domain/licence/events';
import { licenceDecider } from '@zakup/domain/licence/licence.decider';
import type { Licence } from '@zakup/domain/licence/state';
import { toRoubles } from '@zakup/domain/money';
import { messages } from '@zakup/domain/messages';
import { may, type Person } from '@zakup/domain/permissions';
import { Router } from 'express';
import type { CommandDeps } from '../deps.ts';
import { decideOn, rowOf } from '../pipeline/decide-on.ts';
import { streamOf } from '../pipeline/ids.ts';
import { mergeWith } from '../pipeline/merge-conflicts.ts';
import { definedOf, denied, parseBody } from '../pipeline/requests.ts';
import { type TenantCommand, tenantRoute } from '../pipeline/tenant-command.ts';

/**
 * What people do with their own licence: its switches (ROLE-9, ROLE-10, AUTH-22, NUM-13, NUM-16), asking for a renewal (ACT-20), closing it
 * (ACT-26).
 */
export const licenceRoutes = (deps: CommandDeps): Router => {
  const router = Router();
  router.put('/license/settings', tenantRoute(deps, changeSettings(deps)));
  router.post('/license/renewal-request', tenantRoute(deps, requestRenewal(deps)));
  router.post('/license/close', tenantRoute(deps, close(deps)));
  router.post('/license/close/cancel', tenantRoute(deps, keep(deps)));
  return router;
};

const own: TenantCommand<Licence, LicenceEvent>['target'] = ({ licenceId }) => ({
  entity: licenceDecider,
  id: licenceId,
});

const answerMasked =
  (deps: CommandDeps): TenantCommand<Licence, LicenceEvent>['answer'] =>
  (done, id, { session }) => {
    const license = presentLicense(rowOf(done.target, id), { now: new Date(deps.now()).toISOString(), reveal: false });
    return { license: session.key === undefined ? license : { ...license, ownerEmail: '' } };
  };

const requestRenewal = (deps: CommandDeps): TenantCommand<Licence, LicenceEvent> => ({
  target: own,
  decide: async (context, id) =>
    denied(may(context.person, 'licence.requestRenewal')) ??
    decideOn(context, licenceDecider, id, { type: 'RequestRenewal' }, {}),
  answer: answerMasked(deps),
});

const close = (deps: CommandDeps): TenantCommand<Licence, LicenceEvent> => ({
  target: own,
  async decide(context, id) {
    const refused = denied(may(context.person, 'licence.close'));
    if (refused !== null) return refused;
    const parsed = parseBody(closeLicenceRequest, context.body);
    if (parsed.kind === 'refused') return parsed.problem;
    const { at: now } = context.session;
    const { reason } = parsed.body;
    return decideOn(context, licenceDecider, id, { type: 'CloseLicence', reason: reason ?? '', now }, {});
  },
  answer: answerMasked(deps),
});

const keep = (deps: CommandDeps): TenantCommand<Licence, LicenceEvent> => ({
  target: own,
  decide: async (context, id) =>
    denied(may(context.person, 'licence.close')) ??
    decideOn(context, licenceDecider, id, { type: 'KeepLicence', now: context.session.at }, {}),
  answer: answerMasked(deps),
});

const changeSettings = (deps: CommandDeps): TenantCommand<Licence, LicenceEvent> => ({
  target: own,

  async decide(context, id) {
    const refused = denied(may(context.person, 'licence.settings'));
    if (refused !== null) return refused;
    const parsed = parseBody(licenceSettingsRequest, context.body);
    if (parsed.kind === 'refused') return parsed.problem;
    const { baseRevision, ...sent } = parsed.body;
    const switches = definedOf(sent);
    const { leadValue } = switches;
    const loaded = await context.session.load(licenceDecider, id);
    const at = { entity: licenceDecider, stream: streamOf('licence', id, id), loaded };
    const wanted = { ...switches, ...(leadValue !== undefined && { leadValue: toRoubles(leadValue) }) };
    const merged = await mergeWith(deps.eventStore, context.session, at, baseRevision, wanted);
    if (merged.kind === 'refused') return merged.problem;
    const changes = Object.fromEntries(Object.entries(switches).filter(([name]) => Object.hasOwn(merged.apply, name)));
    const door = merged.apply['codeOnlyLogin'];
    if (door !== undefined && door !== loaded.state?.settings.codeOnlyLogin) {
      const refusedDoor = denied(may(context.person, 'licence.codeOnlyLogin'));
      if (refusedDoor !== null) return refusedDoor;
    }
    const forAll = merged.apply['secondFactorForAll'];
    if (forAll !== undefined && forAll !== loaded.state?.settings.secondFactorForAll) {
      const refusedForAll = await refusedDemand(deps, context.person, forAll === true);
      if (refusedForAll !== null) return refusedForAll;
    }
    return decideOn(context, licenceDecider, id, { type: 'ChangeLicenceSettings', changes }, {});
  },

  async answer(done, id, auth) {
    if (done.appended === 'now' && done.target.state?.settings.secondFactorForAll === true)
      await endWithoutSecondFactor(deps, auth.session);
    return answerMasked(deps)(done, id, auth);
  },
});

/** Only the owner has everybody show a second factor, and not before they have one: else they would shut themselves out first. */
const refusedDemand = async (
  { credentials }: CommandDeps,
  person: Person,
  demanded: boolean,
): Promise<Problem | null> => {
  const refused = denied(may(person, 'licence.secondFactorForAll'));
  if (refused !== null || !demanded) return refused;
  if ((await credentials.secondFactorOf(person.userId)) !== null) return null;
  const message = messages.secondFactorForAllOwnFirst;
  return { code: 'VALIDATION_FAILED', message, errors: [{ pointer: '/secondFactorForAll', detail: message }] };
};

/** Whoever came in without one signs in anew, and sets it up then (AUTH-74). */
const endWithoutSecondFactor = async (
  { credentials, access }: CommandDeps,
  { licenceId, userId }: Session,
): Promise<void> => {
  const byPerson = new Map<string, string[]>();
  for (const session of await credentials.endSessionsWithoutSecondFactor(licenceId))
    byPerson.set(session.userId, [...(byPerson.get(session.userId) ?? []), session.id]);
  for (const [personId, sessionIds] of byPerson)
    await access.tell({ licenceId, personId }, userId, [
      { type: 'SessionsEnded', data: { sessionIds, reason: 'revoked' } },
    ]);
};
