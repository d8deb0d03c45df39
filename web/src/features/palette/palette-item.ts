import type { SearchHit } from '@zakup/contracts/calls/replies';
import { showCampaignName } from '@zakup/domain/topics';
import { matches } from '../../shared/ui/matching.ts';

/** Something the palette does by itself: a screen to go to, a switch to flip. */
export interface PaletteAction {
  readonly id: string;
  readonly title: string;
  /** Key that does the same. */
  readonly hotkey?: string;
  readonly run: () => void;
}

export type PaletteItem =
  | { readonly kind: 'action'; readonly action: PaletteAction }
  | { readonly kind: 'hit'; readonly hit: SearchHit };

export const itemKey = (item: PaletteItem): string =>
  item.kind === 'action' ? `action ${item.action.id}` : `${item.hit.kind} ${item.hit.id}`;

export const groupOf = (item: PaletteItem): string => (item.kind === 'action' ? 'action' : item.hit.kind);

export const groupTitles: Readonly<Record<string, string>> = {
  action: 'Перейти и сделать',
  campaign: 'Кампании',
  channel: 'Каналы',
  contractor: 'Контрагенты',
  creative: 'Креативы',
  person: 'Люди',
  placement: 'Размещения',
};

const titleOf = ({ kind, title }: SearchHit): string => (kind === 'campaign' ? showCampaignName(title) : title);

export const itemTitle = (item: PaletteItem): string =>
  item.kind === 'action' ? item.action.title : titleOf(item.hit);

/** Kinds that lead somewhere, by what the person may open. */
export interface Destinations {
  readonly openContractor: (id: string) => void;
  readonly go: (path: string) => void;
}

/** Opens what was found: the campaign on the dashboard, the contractor's dialog, the list it stands in. */
export const openHit = (
  { kind, id, campaignId, channelId, contractorId }: SearchHit,
  { go, openContractor }: Destinations,
): void => {
  switch (kind) {
    case 'campaign':
    case 'placement':
      return go(`/dashboard?campaign=${campaignId ?? id}`);
    case 'channel':
      return go(`/analytics?channel=${channelId ?? id}`);
    case 'contractor':
      return openContractor(contractorId ?? id);
    case 'creative':
      return go(`/creatives?creative=${id}`);
    case 'person':
      return go(`/settings?tab=people&person=${id}`);
  }
};

/** Actions that fit what was typed, then what the server found. */
export const itemsOf = (
  typed: string,
  actions: readonly PaletteAction[],
  hits: readonly SearchHit[],
): readonly PaletteItem[] => [
  ...actions
    .filter((action) => typed.trim() === '' || matches(action.title, typed))
    .map((action): PaletteItem => ({ kind: 'action', action })),
  ...hits.map((hit): PaletteItem => ({ kind: 'hit', hit })),
];
