import { describe, expect, it } from 'vitest';
import { accept, reject, rejectField } from '../decider.ts';
import { messages } from '../messages.ts';
import { given } from '../testing/given.ts';
import { decideUndo, type PastEvent } from '../undo.ts';
import { partsOf, receiverOf } from './aliases.ts';
import { contractorDecider } from './contractor.decider.ts';
import { contractorUndo } from './contractor.undo.ts';
import type { ContractorEvent } from './events.ts';
import { holdsNick, isReceived, nicksOf } from './nicks.ts';
import type { Contractor, ContractorVerdict } from './state.ts';

const contractor = given(contractorDecider);
const created: ContractorEvent = {
  type: 'ContractorCreated',
  data: { nick: 'some', adminUsername: '@Some', channelName: 'Весна', category: 'Мемы', automatic: false },
};
const merged: ContractorEvent = { type: 'ContractorMerged', data: { intoId: 'k-2' } };
const received: ContractorEvent = {
  type: 'ContractorReceived',
  data: { contractorId: 'k-1', nicks: ['other', 'third'] },
};
const noted: ContractorEvent = {
  type: 'ContractorNoteAdded',
  data: { noteId: 'n-1', note: 'своя', authorName: 'Анна' },
};
const came = {
  id: 'n-2',
  revision: 4,
  note: 'чужая',
  authorId: 'boris',
  authorName: 'Борис',
  createdAt: '2029-12-31T00:00:00.000Z',
};
const actor = { id: 'anna', role: 'ANALYTIC' };
const into = { isActive: true };
const merge = { type: 'MergeContractor', contractorId: 'k-1', intoId: 'k-2' } as const;
const receive = { type: 'ReceiveContractor', contractorId: 'k-1', nicks: ['other', 'third'], notes: [came] } as const;

const stateOf = (...history: readonly ContractorEvent[]): Contractor => {
  const { state } = contractor(...history);
  if (state === null) throw new Error('no contractor');
  return state;
};

describe('merged contractors', () => {
  it('MRG-1 says into whom it was merged, active or not', () => {
    expect(contractor(created).when(merge, { actor, into })).toEqual(accept(merged));
    const inactive = contractor(created, { type: 'ContractorDeactivated', data: {} });
    expect(inactive.when(merge, { actor, into })).toEqual(accept(merged));
    expect(stateOf(created, merged).mergedInto).toBe('k-2');
  });

  it('MRG-2 is not merged into itself, into nobody, into a merged or a deactivated one', () => {
    const decided = (command: object, other: object | null) =>
      contractor(created).when({ ...merge, ...command }, { actor, into: other as typeof into | null });
    expect(decided({ intoId: 'k-1' }, into)).toEqual(rejectField('/intoId', messages.mergeWithItself));
    expect(decided({}, null)).toEqual(reject('NOT_FOUND', messages.contractorNotFound));
    expect(decided({}, { isActive: true, mergedInto: 'k-3' })).toEqual(reject('NOT_FOUND', messages.contractorMerged));
    expect(decided({}, { isActive: false })).toEqual(rejectField('/intoId', messages.mergeTargetInactive));
    expect(contractor().when(merge, { actor, into })).toEqual(reject('NOT_FOUND', messages.contractorNotFound));
  });

  it('MRG-3 takes no change any more once it was merged, nor another merge', () => {
    const gone = reject('NOT_FOUND', messages.contractorMerged);
    const changes = { channelName: 'Лето' };
    const facts = { actor, into };
    expect(contractor(created, merged).when(merge, facts)).toEqual(gone);
    expect(contractor(created, merged).when({ type: 'ChangeContractor', changes }, facts)).toEqual(gone);
    expect(
      contractor(created, merged).when({ type: 'AddNote', noteId: 'n', note: 'x', authorName: '' }, facts),
    ).toEqual(gone);
    expect(contractor(created, merged).when(receive, facts)).toEqual(gone);
  });

  it('MRG-4 the other one says who came, keeps the nicks, and has the notes of both in the order they were written', () => {
    const copied: ContractorEvent = {
      type: 'ContractorNoteAdded',
      data: {
        noteId: 'n-2',
        note: 'чужая',
        authorName: 'Борис',
        authorId: 'boris',
        createdAt: '2029-12-31T00:00:00.000Z',
      },
    };
    expect(contractor(created, noted).when(receive, { actor })).toEqual(accept<ContractorEvent>(received, copied));
    const state = stateOf(created, noted, received, copied);
    expect(state.notes.map(({ note, authorId, createdAt }) => [note, authorId, createdAt.slice(0, 10)])).toEqual([
      ['чужая', 'boris', '2029-12-31'],
      ['своя', 'anna', '2030-01-01'],
    ]);
    expect(nicksOf(state)).toEqual(['some', 'other', 'third']);
    expect(contractor(created, received).when(receive, { actor })).toEqual(accept());
  });

  it('MRG-5 keeps a received nick also when it was its own for a time', () => {
    const renamed = (nick: string): ContractorEvent => ({
      type: 'ContractorRenamed',
      data: { nick, adminUsername: `@${nick}` },
    });
    const state = stateOf(created, received, renamed('other'), renamed('last'));
    expect(nicksOf(state)).toEqual(['last', 'other', 'third']);
    expect([holdsNick(state, 'other'), holdsNick(state, 'some')]).toEqual([true, false]);
    expect([isReceived(state, 'other'), isReceived(state, 'last')]).toEqual([true, false]);
  });

  it('MRG-6 follows chains: who came into one that was merged later is a part of the last', () => {
    const chain = { a: 'b', b: 'c', x: 'c' };
    expect(['a', 'b', 'c', 'x', 'other'].map((id) => receiverOf(chain, id))).toEqual(['c', 'c', 'c', 'c', 'other']);
    expect(partsOf(chain, 'c')).toEqual(['c', 'a', 'b', 'x']);
    expect(partsOf(chain, 'b')).toEqual(['b']);
    expect(partsOf({ a: 'b' }, 'b')).toEqual(['b', 'a']);
    expect(receiverOf({}, 'constructor')).toBe('constructor');
    expect(() => receiverOf({ a: 'b', b: 'a' }, 'a')).toThrow('merged into itself');
  });

  const past = (
    before: readonly ContractorEvent[],
    command: readonly ContractorEvent[],
    since: readonly ContractorEvent[],
  ) => {
    const events = (list: readonly ContractorEvent[], name: string): PastEvent<ContractorEvent>[] =>
      list.map((event, index) => ({
        event,
        id: `${name}#${index}`,
        command: name,
        undoes: undefined,
        actorId: 'boris',
        at: '2030-01-02T00:00:00.000Z',
      }));
    return {
      before: stateOf(...before),
      after: stateOf(...before, ...command),
      current: stateOf(...before, ...command, ...since),
      events: events(command, 'merge'),
      since: events(since, 'later'),
    };
  };
  const copied: ContractorEvent = {
    type: 'ContractorNoteAdded',
    data: { noteId: 'n-2', note: 'чужая', authorName: 'Борис', authorId: 'boris', createdAt: came.createdAt },
  };

  it('MRG-7 a merge that is undone separates the one and takes back from the other what came with it, by whomever it was written', () => {
    const one = decideUndo(contractorUndo, past([created], [merged], []), { actor });
    expect(one).toEqual({
      kind: 'undone',
      events: [{ event: { type: 'ContractorSeparated', data: { fromId: 'k-2' } }, undoes: 'merge#0' }],
    });
    const other = decideUndo(contractorUndo, past([created, noted], [received, copied], []), { actor });
    expect(other).toEqual({
      kind: 'undone',
      events: [
        { event: { type: 'ContractorReturned', data: { contractorId: 'k-1' } }, undoes: 'merge#0' },
        { event: { type: 'ContractorNoteRemoved', data: { noteId: 'n-2' } }, undoes: 'merge#1' },
      ],
    });
    expect(stateOf(created, merged, { type: 'ContractorSeparated', data: { fromId: 'k-2' } })).toEqual(
      stateOf(created),
    );
    expect(stateOf(created, received, { type: 'ContractorReturned', data: { contractorId: 'k-1' } })).toEqual(
      stateOf(created),
    );
  });

  it('VRD-2154 a black list of either stays, else its own, else that of who came; the undoing brings back what stood before', () => {
    const black = { list: 'black', reason: 'Не вернул предоплату' } as const;
    const other = { list: 'black', reason: 'Долго' } as const;
    const white = { list: 'white', reason: 'Быстро' } as const;
    const judged = (verdict: ContractorVerdict): ContractorEvent => ({
      type: 'ContractorVerdictChanged',
      data: { verdict },
    });
    const standsOn = (own: ContractorVerdict | undefined, verdict: ContractorVerdict | undefined) => {
      const before = own === undefined ? [created] : [created, judged(own)];
      const decision = contractor(...before).when({ ...receive, verdict, notes: [] }, { actor });
      const events = decision.kind === 'accepted' ? decision.events : [];
      return [stateOf(...before, ...events).verdict, events.length] as const;
    };
    expect(standsOn(undefined, black)).toEqual([black, 2]);
    expect(standsOn(white, black)).toEqual([black, 2]);
    expect(standsOn(undefined, white)).toEqual([white, 2]);
    expect(standsOn(black, other)).toEqual([black, 1]);
    expect(standsOn(black, white)).toEqual([black, 1]);
    expect(standsOn(white, undefined)).toEqual([white, 1]);
    expect(standsOn(undefined, undefined)).toEqual([undefined, 1]);
    const undone = decideUndo(contractorUndo, past([created, judged(white)], [received, judged(black)], []), { actor });
    const back = undone.kind === 'undone' ? undone.events.map(({ event }) => event) : [];
    expect(stateOf(created, judged(white), received, judged(black), ...back)).toEqual(stateOf(created, judged(white)));
  });

  it('MRG-8 a later merge of the receiver conflicts with the undoing; a note that came and was deleted since does not', () => {
    const deleted: ContractorEvent = { type: 'ContractorNoteRemoved', data: { noteId: 'n-2' } };
    const lost = decideUndo(contractorUndo, past([created], [received, copied], [deleted]), { actor });
    // The note is gone already, as it was before: nothing stands against the rest.
    expect(lost.kind).toBe('undone');
    const onward = decideUndo(contractorUndo, past([created], [received, copied], [merged]), { actor });
    expect(onward).toMatchObject({
      kind: 'conflict',
      conflicts: [{ field: 'mergedInto', base: null, theirs: 'k-2', mine: null, actorId: 'boris' }],
    });
  });
});
