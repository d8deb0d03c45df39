import type { PlacementRow } from '@zakup/contracts/read-models';
import { noCreative } from '@zakup/domain/placement/events';
import { withoutCreativeLabel } from '@zakup/domain/placement/labels';
import { containing } from '@zakup/domain/search-text';
import { showTopic } from '@zakup/domain/topics';
import type { DocumentReader } from '@zakup/read-store/read-store';
import { rowsOf } from './rows.ts';

type Shown<Field extends keyof PlacementRow> = (row: Pick<PlacementRow, Field>) => string;

/** What a table shows for a row's ids. */
export interface PlacementNames {
  readonly contractorId: Shown<'contractorId'>;
  readonly creativeId: Shown<'creativeId'>;
  readonly buyerId: Shown<'buyerId'>;
  /** Of the contractor. */
  readonly channelName: Shown<'contractorId'>;
}

/** What a table shows for ids; unknown ones as themselves. */
export const placementNames = async (readStore: DocumentReader, licenceId: string): Promise<PlacementNames> => {
  const [contractors, creatives, users] = await Promise.all([
    rowsOf(readStore, 'contractor', licenceId),
    rowsOf(readStore, 'creative', licenceId),
    rowsOf(readStore, 'user', licenceId),
  ]);
  const contractor = new Map(contractors.map((row) => [row.id, row]));
  const creative = new Map(creatives.map(({ id, name }) => [id, name]));
  const buyer = new Map(users.map(({ id, name }) => [id, name]));
  return {
    contractorId: ({ contractorId }) => contractor.get(contractorId)?.adminUsername ?? contractorId,
    creativeId: ({ creativeId }) =>
      creativeId === noCreative ? withoutCreativeLabel : (creative.get(creativeId) ?? creativeId),
    buyerId: ({ buyerId }) => buyer.get(buyerId) ?? buyerId,
    channelName: ({ contractorId }) => contractor.get(contractorId)?.channelName ?? '',
  };
};

const collator = new Intl.Collator('ru', { numeric: true, sensitivity: 'base' });

/** As names are sorted: `ё` by `е`, numbers by their value, whatever the case. */
export const compareNames = (a: string, b: string): number => collator.compare(a, b);

/** What of a row is searched, or stands for a name that is. */
export const searched = ['contractorId', 'category', 'creativeId', 'buyerId', 'comment'] as const;

/** Whether a row is found by what a person typed; everything is by nothing. */
export const searching = (
  names: PlacementNames,
  search: string,
): ((row: Pick<PlacementRow, (typeof searched)[number]>) => boolean) => {
  if (search === '') return () => true;
  const isWanted = containing(search);
  const texts = [names.contractorId, names.channelName, names.creativeId, names.buyerId];
  return (row) =>
    isWanted(showTopic(row.category)) || texts.some((text) => isWanted(text(row))) || isWanted(row.comment);
};
