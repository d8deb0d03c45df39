import { describe, expect, it } from 'vitest';
import { accept, reject, rejectField } from '../decider.ts';
import { messages } from '../messages.ts';
import { given } from '../testing/given.ts';
import { contractorDecider } from './contractor.decider.ts';
import type { ContractorEvent } from './events.ts';
import type { ContractorVerdict } from './state.ts';

const contractor = given(contractorDecider);
const data = {
  nick: 'some_admin',
  adminUsername: '@Some_Admin',
  channelName: 'Весна',
  category: 'Мемы',
  automatic: true,
};
const created: ContractorEvent = { type: 'ContractorCreated', data };
const noted: ContractorEvent = {
  type: 'ContractorNoteAdded',
  data: { noteId: 'n-1', note: 'быстро', authorName: 'Анна' },
};
const as = (id: string, role: string) => ({ actor: { id, role } });
const anna = as('anna', 'MEDIA_BUYER');

describe('contractor', () => {
  it('CO-1 is created once, with a nick', () => {
    expect(contractor().when({ type: 'CreateContractor', ...data }, anna)).toEqual(accept(created));
    expect(contractor(created).when({ type: 'CreateContractor', ...data }, anna)).toEqual(
      reject('DUPLICATE', messages.alreadyExists),
    );
    expect(contractor().when({ type: 'CreateContractor', ...data, nick: '' }, anna)).toEqual(
      rejectField('/adminUsername', messages.nickRequired),
    );
  });

  it('CO-2 changes by one event a fact and appends nothing for what is already there', () => {
    const contact = { nick: 'other', adminUsername: '@Other' };
    const changes = { contact, channelName: 'Лето', category: 'Юмор', isActive: false };
    expect(contractor(created).when({ type: 'ChangeContractor', changes }, anna)).toEqual(
      accept<ContractorEvent>(
        { type: 'ContractorRenamed', data: contact },
        { type: 'ContractorChannelNameChanged', data: { channelName: 'Лето' } },
        { type: 'ContractorCategoryChanged', data: { category: 'Юмор' } },
        { type: 'ContractorDeactivated', data: {} },
      ),
    );
    const same = { contact: { nick: data.nick, adminUsername: data.adminUsername }, channelName: 'Весна' };
    expect(contractor(created).when({ type: 'ChangeContractor', changes: same }, anna)).toEqual(accept());
  });

  it('VRD-2145 is put on a list with its reason, on the other one, and off it; the same again appends nothing', () => {
    const judge = (verdict: ContractorVerdict | null) => ({ type: 'ChangeContractor', changes: { verdict } }) as const;
    const black = { list: 'black', reason: 'Не вернул предоплату' } as const;
    const judged = (verdict: ContractorVerdict | null): ContractorEvent => ({
      type: 'ContractorVerdictChanged',
      data: { verdict },
    });
    expect(contractor(created).when(judge({ ...black, reason: ' Не вернул предоплату ' }), anna)).toEqual(
      accept(judged(black)),
    );
    const listed = contractor(created, judged(black));
    expect(listed.state).toMatchObject({ verdict: black, automatic: true });
    expect(listed.when(judge(black), anna)).toEqual(accept());
    for (const other of [{ ...black, list: 'white' }, { ...black, reason: 'Вернул' }, null] as const)
      expect(listed.when(judge(other), anna)).toEqual(accept(judged(other)));
    expect(contractor(created, judged(black), judged(null)).state).not.toHaveProperty('verdict');
    expect(contractor(created).when(judge(null), anna)).toEqual(accept());
  });

  it('VRD-2146 a list without a reason, or with more than 200 characters of it, is refused', () => {
    const judge = (reason: string) =>
      contractor(created).when({ type: 'ChangeContractor', changes: { verdict: { list: 'white', reason } } }, anna);
    expect(judge(' ')).toEqual(rejectField('/verdict/reason', messages.verdictReasonRequired));
    expect(judge('x'.repeat(201))).toEqual(rejectField('/verdict/reason', messages.verdictReasonTooLong));
    expect(judge('x'.repeat(200)).kind).toBe('accepted');
  });

  it('CO-3 respelled in other letters is renamed too', () => {
    const contact = { nick: 'some_admin', adminUsername: '@SOME_admin' };
    expect(contractor(created).when({ type: 'ChangeContractor', changes: { contact } }, anna)).toEqual(
      accept({ type: 'ContractorRenamed', data: contact }),
    );
  });

  it('CO-4 made on the fly is so until somebody edits it; a note is no edit', () => {
    expect(contractor(created, noted).state?.automatic).toBe(true);
    const edited = contractor(created, { type: 'ContractorCategoryChanged', data: { category: 'Юмор' } });
    expect(edited.state?.automatic).toBe(false);
  });

  it('CO-5 keeps notes with author, instant and the revision they were added at', () => {
    expect(contractor(created, noted).state?.notes).toEqual([
      {
        id: 'n-1',
        revision: 1,
        note: 'быстро',
        authorId: 'anna',
        authorName: 'Анна',
        createdAt: '2030-01-01T00:00:01.000Z',
      },
    ]);
  });

  it('CO-6 takes a note of 1 to 2,000 characters, trimmed', () => {
    const add = (note: string) => ({ type: 'AddNote', noteId: 'n-1', note, authorName: 'Анна' }) as const;
    expect(contractor(created).when(add(' быстро '), anna)).toEqual(accept(noted));
    expect(contractor(created).when(add(' \n'), anna)).toEqual(rejectField('/note', messages.noteRequired));
    expect(contractor(created).when(add('x'.repeat(2001)), anna)).toEqual(rejectField('/note', messages.noteTooLong));
    expect(contractor(created, noted).when(add('ещё'), anna)).toEqual(reject('DUPLICATE', messages.alreadyExists));
  });

  it('CO-7 lets the author, TEAM_LEAD, CBDO and CEO delete a note, nobody else', () => {
    const remove = { type: 'RemoveNote', noteId: 'n-1' } as const;
    const removed = accept({ type: 'ContractorNoteRemoved', data: { noteId: 'n-1' } });
    expect(contractor(created, noted).when(remove, anna)).toEqual(removed);
    for (const role of ['TEAM_LEAD', 'CBDO', 'CEO'])
      expect(contractor(created, noted).when(remove, as('boris', role))).toEqual(removed);
    for (const role of ['MEDIA_BUYER', 'ANALYTIC'])
      expect(contractor(created, noted).when(remove, as('boris', role))).toEqual(
        reject('ACCESS_DENIED', messages.noteNotYours),
      );
    expect(contractor(created).when(remove, anna)).toEqual(reject('NOT_FOUND', messages.noteNotFound));
  });
});
