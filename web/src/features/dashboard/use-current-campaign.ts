import type { CampaignWire } from '@zakup/contracts/wire-entities';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { currentCampaign } from '../../shared/campaign/campaign-choice.ts';
import { keepItem } from '../../shared/storage/keep-item.ts';

const lastKey = 'lastCampaignId';

/** The campaign on the screen and the way to choose another, which goes into the address. */
export const useCurrentCampaign = (
  campaigns: readonly CampaignWire[],
): readonly [CampaignWire | null, (id: string) => void] => {
  const [params, setParams] = useSearchParams();
  const [automatic, setAutomatic] = useState<string | null>(null);
  const explicit = params.get('campaign');
  // In the past, one that was not there yet is not another one.
  const gone = params.has('at') && explicit !== null && !campaigns.some((campaign) => campaign.id === explicit);
  const id = gone ? null : currentCampaign(campaigns, { explicit, automatic, last: localStorage.getItem(lastKey) });
  if (id !== null && id !== explicit && id !== automatic) setAutomatic(id);
  const chosen = campaigns.find((campaign) => campaign.id === explicit)?.id ?? null;
  const past = params.has('at');
  // A link chooses as a press does; one to what is not there (any more) makes nothing forgotten.
  useEffect(() => {
    if (chosen !== null && !past) keepItem(localStorage, lastKey, chosen);
  }, [chosen, past]);
  const choose = (next: string): void => {
    keepItem(localStorage, lastKey, next);
    setParams((before) => {
      const at = before.get('at');
      return { campaign: next, ...(at !== null && { at }) };
    });
  };
  return [campaigns.find((campaign) => campaign.id === id) ?? null, choose];
};
