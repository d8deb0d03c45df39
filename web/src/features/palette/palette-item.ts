import type { SearchHit } from '@zakup/contracts/calls/replies';
import { showCampaignName } from '@zakup/domain/topics';
import { requestReveal } from '../../shared/campaign/reveal-requests.ts';
import { matches } from '../../shared/ui/matching.ts';

/** Something the palette does by itself: a screen to go to, a switch to flip. */
export interface PaletteAction {
  readonly id: string;
  readonly title: string;
  /** Key that does the same. */
  readonly hotkey?: string;
  /** What is to be known before it is done, such as that it leads to now. */
  readonly aside?: string | undefined;
  /** Words by which it is found beside its title. */
  readonly words?: string;
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

/** Opens what was found: the campaign on the dashboard, the contractor's dialog, the creative's page, the list it stands in. */
export const openHit = (
  { kind, id, campaignId, channelId, contractorId }: SearchHit,
  { go, openContractor }: Destinations,
): void => {
  switch (kind) {
    case 'campaign':
      return go(`/dashboard?campaign=${campaignId ?? id}`);
    case 'placement':
      if (campaignId !== null) requestReveal({ campaignId, placementId: id });
      return go(`/dashboard?campaign=${campaignId ?? id}`);
    case 'channel':
      return go(`/analytics?channel=${channelId ?? id}`);
    case 'contractor':
      return openContractor(contractorId ?? id);
    case 'creative':
      return go(`/creatives/${id}`);
    case 'person':
      return go(`/settings?tab=employees&person=${id}`);
  }
};

/** Each word that was typed is one of the action's, in any order. */
const fits = ({ title, words = '' }: PaletteAction, typed: string): boolean =>
  typed === '' || typed.split(/\s+/u).every((word) => matches(`${title} ${words}`, word));

/** Items that stand under one heading, each with its place in the whole list. */
export interface PaletteGroup {
  readonly group: string;
  readonly items: readonly { readonly item: PaletteItem; readonly index: number }[];
}

/** Neighbours of one group, in the order of the list. */
export const groupsOf = (items: readonly PaletteItem[]): readonly PaletteGroup[] => {
  const groups: { group: string; items: { item: PaletteItem; index: number }[] }[] = [];
  for (const [index, item] of items.entries()) {
    const last = groups.at(-1);
    if (last?.group === groupOf(item)) last.items.push({ item, index });
    else groups.push({ group: groupOf(item), items: [{ item, index }] });
  }
  return groups;
};

/** What stands beside an item: its key, where it lies, what kind of thing it is. */
export const asideOf = (item: PaletteItem): string | undefined =>
  item.kind === 'hit' ? item.hit.subtitle : (item.action.aside ?? item.action.hotkey);

/** Actions that fit what was typed, then what the server found. */
export const itemsOf = (
  typed: string,
  actions: readonly PaletteAction[],
  hits: readonly SearchHit[],
): readonly PaletteItem[] => [
  ...actions.filter((action) => fits(action, typed.trim())).map((action): PaletteItem => ({ kind: 'action', action })),
  ...hits.map((hit): PaletteItem => ({ kind: 'hit', hit })),
];
