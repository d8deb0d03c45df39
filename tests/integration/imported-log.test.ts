import { randomUUID } from 'node:crypto';
import { partialWrites } from '@zakup/command/compensation/partial-writes';
import { runProcesses } from '@zakup/command/processes/run-processes';
import { commandKeyOf } from '@zakup/contracts/derived-ids';
import type { ImportWire } from '@zakup/contracts/imports';
import type { EventStore, RecordedEvent } from '@zakup/event-store/event-store';
import { licenceChecks } from '@zakup/projections/licence-check';
import { sealer } from '@zakup/projector/sealing/sealer';
import { testKey, testSalt } from '@zakup/seals/testing/sealed';
import { allPartitions } from '@zakup/service-kit/stores/all-partitions';
import { verifySeals } from '@zakup/standalone/verify/verify-seals';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { givenTeam, type Team } from '../calls/team.ts';

const rows = 100;
const file = `Дата;Ник;Цена;Тематика\n${Array.from(
  { length: rows },
  (_, row) => `01.02.2026;@sealed${row % 30};${row + 1};Юмор\n`,
).join('')}`;

describe('a log that an import has written', { timeout: 300_000 }, () => {
  let team: Team;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    team = await givenTeam();
    const { api } = team;
    const processes = runProcesses({
      eventStore: api.commandLog,
      readStore: api.readStore,
      partialWrites,
      now: api.clock,
      log: { info: () => undefined, warn: (details, message) => console.error(message, details) },
      signal: new AbortController().signal,
    });
    stop = () => processes.stop();
  }, 120_000);
  afterAll(async () => {
    await stop();
    await team.api.close();
  });

  /** Seals all that has no seal, as the projector does when the time has come. */
  const seal = async (): Promise<void> => {
    const { eventStore, seals } = team.api;
    const { fingerprint, publicKey } = testKey;
    await seals.addKey({ fingerprint, publicKey, since: '2030-01-01T00:00:00.000Z' });
    const late = Date.now() + 365 * 24 * 3_600_000;
    const sealing = sealer({
      eventStore,
      seals,
      key: testKey,
      fence: 1,
      after: 0,
      now: () => late,
      random: () => testSalt,
    });
    sealing.take(await eventStore.readLicence(team.licence.id));
    await sealing.settle();
  };

  /** What `npm run verify` finds of the licence in seals, index of commands and read models. */
  const verified = async (eventStore: Pick<EventStore, 'readLicence'> = team.api.eventStore) => {
    const { api, licence } = team;
    await api.followed();
    const commands = { readCommand: (key: string) => api.eventStore.readCommand(key), keyOf: commandKeyOf };
    const { seals } = api;
    const { events, unsealed, faults } = await verifySeals({ eventStore, seals, licences: [licence.id], commands });
    const looking = licenceChecks({ eventStore, readStore: api.readStore, partition: allPartitions });
    const { differences } = await looking.check(licence.id);
    return { events, unsealed, faults, differences };
  };

  const send = async (campaignId: string): Promise<ImportWire> => {
    const headers = { Authorization: `Bearer ${team.actors.TEAM_LEAD.token}`, 'Idempotency-Key': randomUUID() };
    const address = `${team.api.address}/api/campaigns/${campaignId}/import`;
    const response = await fetch(address, { method: 'POST', headers, body: file });
    const { data } = (await response.json()) as { readonly data: { readonly import: ImportWire } };
    return data.import;
  };
  const followed = async (id: string): Promise<ImportWire> => {
    await team.api.followed();
    const { body } = await team.api.call('GET', `/imports/${id}`, undefined, { token: team.owner.token });
    return (body.data as unknown as { readonly import: ImportWire }).import;
  };

  test('IMP-2402 fits its seals, its index of commands and its read models, also when it was taken back, and a changed row of it is found', async () => {
    const { campaign } = await team.done('POST', '/campaigns', {
      name: 'Импорт',
      channelId: team.campaign.channelId,
      status: 'ACTIVE',
    });
    await seal();
    const { id } = await send(campaign.id);
    await vi.waitFor(async () => expect(await followed(id)).toMatchObject({ status: 'done', added: rows }), {
      timeout: 200_000,
      interval: 100,
    });
    expect(await verified()).toMatchObject({ faults: [], differences: [] });
    await seal();
    const written = await verified();
    expect(written).toMatchObject({ unsealed: 0, faults: [], differences: [] });
    expect(written.events).toBeGreaterThan(rows);

    await team.done('POST', '/undo', { commandId: id }, team.actors.TEAM_LEAD);
    await seal();
    const undone = await verified();
    expect(undone).toMatchObject({ unsealed: 0, faults: [], differences: [] });
    expect(undone.events).toBeGreaterThanOrEqual(written.events + rows);

    const falsified = (change: (event: RecordedEvent) => RecordedEvent): Pick<EventStore, 'readLicence'> => ({
      readLicence: async (...asked) => (await team.api.eventStore.readLicence(...asked)).map(change),
    });
    const { faults } = await verified(
      falsified((event) => (event.type === 'ImportRowsStaged' ? { ...event, data: { rows: [] } } : event)),
    );
    expect(faults).toMatchObject([{ kind: 'different', licenceId: team.licence.id }]);
  });
});
