import type { ImportField } from '@zakup/contracts/imports';
import type { Problem } from '@zakup/contracts/problems';
import type { AddPlacementBody, ChangePlacementBody } from '@zakup/contracts/requests/placement.requests';
import type { RowError } from '@zakup/domain/import/events';
import type { ImportRow } from '@zakup/domain/import/import-row';
import { messages } from '@zakup/domain/messages';
import { kopecks } from '@zakup/domain/money';
import { parseNick } from '@zakup/domain/nick';
import type { Format, Topic } from '@zakup/domain/topics';
import { placementDecider } from '@zakup/domain/placement/placement.decider';
import { addPlacement, changePlacement, openPlacement, setPayment } from '../placement/decide-placement.ts';
import { definedOf } from '../pipeline/requests.ts';
import type { StreamReader } from '../pipeline/merge-conflicts.ts';
import { streamOf } from '../pipeline/ids.ts';
import type { TenantContext } from '../pipeline/tenant-context.ts';

/** Fields of the file by what the calls for one placement name them. */
const fieldByMember: Readonly<Record<string, ImportField>> = {
  date: 'date',
  contractor: 'contractor',
  price: 'price',
  leads: 'leads',
  creativeId: 'creative',
  category: 'category',
  format: 'format',
  buyerId: 'buyer',
  paymentStatus: 'paymentStatus',
  status: 'status',
  comment: 'comment',
  postUrl: 'postUrl',
};

const fieldByMessage: Readonly<Record<string, ImportField>> = {
  [messages.placementNotFound]: 'id',
  [messages.creativeNotFound]: 'creative',
};

/** The field of the file that a refusal is about; null = of none in particular. */
const refusedField = ({ code, message, errors = [] }: Problem): ImportField | null => {
  if (code === 'ACCESS_DENIED') return 'buyer';
  const [, member = ''] = errors[0]?.pointer.split('/') ?? [];
  return fieldByMember[member] ?? fieldByMessage[message] ?? null;
};

/** What became of a row. */
export type WrittenRow =
  | { readonly kind: 'added' | 'changed' | 'skipped' }
  | { readonly kind: 'failed'; readonly error: RowError };

const nickOf = (spelling: string): { readonly nick: string; readonly adminUsername: string } => {
  const parsed = parseNick(spelling);
  if (parsed.kind !== 'nick') throw new Error(`${spelling} was staged and is no nick`);
  const { nick, adminUsername } = parsed;
  return { nick, adminUsername };
};

/** Decides one row on what the ones before it left, as the calls for one placement do; a refused one leaves nothing. */
export const writeRow = async (
  reader: StreamReader,
  context: TenantContext,
  campaignId: string,
  row: ImportRow,
): Promise<WrittenRow> => {
  const own: TenantContext = { ...context, newId: (purpose) => context.newId(`${purpose}/${row.row}`) };
  const id = row.placementId ?? own.newId('placement');
  const stream = streamOf(placementDecider.category, context.person.licence.id, id);
  const emitted = (): number => context.session.emittedTo(stream).length;
  const before = emitted();
  const problem = await context.session.attempt(() =>
    row.placementId === undefined
      ? addRow(reader, own, id, campaignId, row)
      : changeRow(reader, own, id, campaignId, row),
  );
  if (problem !== null)
    return {
      kind: 'failed',
      error: { row: row.row, column: null, field: refusedField(problem), text: '', detail: problem.message },
    };
  if (row.placementId === undefined) return { kind: 'added' };
  return { kind: emitted() > before ? 'changed' : 'skipped' };
};

const addRow = async (
  reader: StreamReader,
  context: TenantContext,
  id: string,
  campaignId: string,
  row: ImportRow,
): Promise<Problem | null> => {
  const { contractor = '', buyerId = '', category = '', leads, status } = row;
  const { date, format, price = kopecks(0), creativeId, paymentStatus, comment, postUrl } = row;
  const body: AddPlacementBody = {
    campaignId,
    contractor: nickOf(contractor),
    buyerId,
    category: category as Topic,
    price,
    ...definedOf({ date, format: format as Format | undefined, creativeId, paymentStatus, comment, postUrl }),
  };
  const problem = await addPlacement(context, id, body);
  if (problem !== null || (leads === undefined && status === undefined)) return problem;
  const opened = await openPlacement(context, id, 'placement.change');
  return opened.kind === 'refused'
    ? opened.problem
    : changePlacement(reader, context, opened, definedOf({ leads, status }) as ChangePlacementBody);
};

const changeRow = async (
  reader: StreamReader,
  context: TenantContext,
  id: string,
  campaignId: string,
  row: ImportRow,
): Promise<Problem | null> => {
  const opened = await openPlacement(context, id, 'placement.change');
  if (opened.kind === 'refused') return opened.problem;
  if (opened.state.campaignId !== campaignId) return { code: 'NOT_FOUND', message: messages.placementNotFound };
  const { row: _, placementId: __, paymentStatus, contractor, ...changes } = row;
  const body: ChangePlacementBody = {
    ...(changes as Omit<ChangePlacementBody, 'contractor'>),
    ...(contractor !== undefined && { contractor: nickOf(contractor) }),
  };
  const problem = await changePlacement(reader, context, opened, body);
  if (problem !== null || paymentStatus === undefined) return problem;
  const again = await openPlacement(context, id, 'placement.change');
  return again.kind === 'refused' ? again.problem : setPayment(reader, context, again, { paymentStatus });
};
