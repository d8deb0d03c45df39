import type { CampaignRow, ContractorRow, CreativeRow } from '@zakup/contracts/read-models';
import { type CampaignLineageQuery, payFigures } from '@zakup/contracts/requests/queries';
import type { ChannelSize } from '@zakup/domain/analytics/channel-size';
import type { Figure } from '@zakup/domain/analytics/figures';
import { kopecks } from '@zakup/domain/money';
import type { DocumentReader } from '@zakup/read-store/read-store';
import { aliasesOf } from '../read-models/aliases.ts';
import { historyViewOf } from '@zakup/contracts/shown-event';
import type { ReadContext } from '../http/read-context.ts';
import { rowOf, rowsOf } from '../read-models/rows.ts';
import { bonusLineage } from './bonus-lineage.ts';
import { lineage } from './lineage.ts';
import type { Pay } from './lineage-pay.ts';
import type { Lineage, LineageSubject } from './lineage-subject.ts';
import { byBuyer, byChannelSize, byContractor, byCreative, byDay, figureFilters } from './figure-filter.ts';

export type PayFigure = (typeof payFigures)[number];

export const isPay = (figure: unknown): figure is PayFigure => (payFigures as readonly unknown[]).includes(figure);

export type Selected = Omit<CampaignLineageQuery, 'page' | 'pageSize' | 'cursor'>;

/** What of the documents a figure is asked of, once more: they may be of another moment than what was found before. */
export interface Of {
  readonly context: ReadContext;
  readonly documents: DocumentReader;
  readonly position: number;
  readonly most?: number;
}

export const subjectOf = async ({ context, documents, position, most }: Of) => {
  const { id } = context.licence;
  return {
    licence: (await rowOf(documents, 'license', id, id)) ?? context.licence,
    to: position,
    ...(most !== undefined && { most }),
    view: historyViewOf(context.person),
  };
};

export const sourcesOf = async ({ context: { deps, licence }, documents }: Of) => ({
  documents,
  readStore: deps.readStore,
  aliases: await aliasesOf(documents, licence.id),
});

const payOf = async (
  documents: DocumentReader,
  {
    licenceId,
    campaignId,
    userId,
  }: { readonly licenceId: string; readonly campaignId: string; readonly userId: string | undefined },
  figure: Exclude<PayFigure, 'bonus'>,
): Promise<Pay> => {
  if (figure === 'ownRate') {
    const user = await rowOf(documents, 'user', userId ?? '', licenceId);
    return { figure, userId: userId ?? '', salaryRate: user?.salaryRate ?? null };
  }
  const where = { campaignId, ...(userId !== undefined && { userId }) };
  const rows = await rowsOf(documents, 'earnings', licenceId, { where });
  const names = new Map((await rowsOf(documents, 'user', licenceId)).map(({ id, name }) => [id, name]));
  return { figure, people: rows.map((row) => ({ ...row, name: names.get(row.userId) ?? row.userId })) };
};

export const campaignLineage = async (of: Of, found: CampaignRow, query: Selected): Promise<Lineage> => {
  const { documents } = of;
  const common = await subjectOf(of);
  const sources = await sourcesOf(of);
  const { figure, userId: userIds, placementId = null, from, to } = query;
  const userId = userIds?.length === 1 ? userIds[0] : undefined;
  const licenceId = common.licence.id;
  if (figure === 'bonus')
    return bonusLineage(sources, { ...common, userId: userId ?? '', selection: { campaign: found.id, from, to } });
  const campaign = (await rowOf(documents, 'campaign', found.id, licenceId)) ?? found;
  const participant = campaign.participants.find((one) => one.userId === userId);
  const subject: LineageSubject = {
    ...common,
    campaignIds: [campaign.id],
    everywhere: false,
    totalBudget: userId === undefined ? campaign.totalBudget : (participant?.budget ?? kopecks(0)),
    participantId: userId ?? null,
    narrowed: await figureFilters(query, sources.aliases, { documents, licenceId }),
    only: placementId,
  };
  const asked: Figure | Pay = isPay(figure)
    ? await payOf(documents, { licenceId, campaignId: campaign.id, userId }, figure)
    : figure;
  return lineage(sources, subject, asked);
};

export const contractorLineage = async (
  of: Of,
  found: ContractorRow,
  {
    figure,
    userId,
    placementId,
    from,
    to,
  }: { readonly figure: Figure } & Partial<
    Readonly<Record<'userId' | 'placementId' | 'from' | 'to', string | undefined>>
  >,
): Promise<Lineage> => {
  const sources = await sourcesOf(of);
  const common = await subjectOf(of);
  const contractor = (await rowOf(of.documents, 'contractor', found.id, common.licence.id)) ?? found;
  const subject: LineageSubject = {
    ...common,
    campaignIds: Object.keys(contractor.totals.campaigns),
    everywhere: true,
    totalBudget: kopecks(0),
    participantId: null,
    narrowed: [
      byContractor(sources.aliases, contractor.id),
      ...(userId === undefined ? [] : [byBuyer(userId)]),
      ...(from === undefined && to === undefined ? [] : [byDay(from, to)]),
    ],
    only: placementId ?? null,
  };
  return lineage(sources, subject, figure);
};

export const creativeLineage = async (
  of: Of,
  found: CreativeRow,
  { figure, size }: { readonly figure: Figure; readonly size?: ChannelSize | undefined },
): Promise<Lineage> => {
  const sources = await sourcesOf(of);
  const common = await subjectOf(of);
  const { id: licenceId } = common.licence;
  const creative = (await rowOf(of.documents, 'creative', found.id, licenceId)) ?? found;
  const campaigns = await rowsOf(of.documents, 'campaign', licenceId);
  const subject: LineageSubject = {
    ...common,
    campaignIds: campaigns
      .map(({ id }) => id)
      .filter((id) => creative.totals === undefined || Object.hasOwn(creative.totals.campaigns, id)),
    everywhere: true,
    totalBudget: kopecks(0),
    participantId: null,
    narrowed: [byCreative(creative.id), ...(size === undefined ? [] : [byChannelSize(size)])],
    only: null,
  };
  return lineage(sources, subject, figure);
};
