import type { CampaignWire, ChannelWire, CreativeWire } from '@zakup/contracts/wire-entities';
import type { Entry } from '../outbox/entry.ts';

/** What is shown in a list of its own while the server does not have it. */
export interface KeptByKind {
  readonly channel: ChannelWire;
  readonly campaign: CampaignWire;
  readonly creative: CreativeWire;
}
export type KeptKind = keyof KeptByKind;

/** The revision of what has yet to be made. */
export const unmade = -1;

const blanks: { readonly [Kind in KeptKind]: Omit<KeptByKind[Kind], 'id' | 'revision' | 'createdAt' | 'updatedAt'> } = {
  channel: { name: '', avatar: null },
  campaign: {
    name: '',
    channelId: '',
    totalBudget: 0,
    budget: 0,
    status: 'DRAFT',
    startDate: null,
    endDate: null,
    participants: [],
  },
  creative: { name: '', abbreviation: '', type: 'TEXT_WITH_IMAGE', notes: '', isActive: true },
};

/** A new one before its first body: what the server sets where a body is silent. */
export const blankOf = <Kind extends KeptKind>(kind: Kind, id: string, at: number): KeptByKind[Kind] => {
  const time = new Date(at).toISOString();
  return { ...blanks[kind], id, revision: unmade, createdAt: time, updatedAt: time } as unknown as KeptByKind[Kind];
};

/** The document with what a command wants of it. */
export const withBody = <Doc extends object>(
  doc: Doc,
  { method, path, body }: Pick<Entry, 'method' | 'path' | 'body'>,
): Doc => {
  if (method === 'DELETE') return doc;
  if (path.endsWith('/complete')) return { ...doc, status: 'COMPLETED' };
  if (path.endsWith('/reopen')) return { ...doc, status: 'ACTIVE' };
  return { ...doc, ...body, ...('totalBudget' in body && { budget: body['totalBudget'] }) };
};
