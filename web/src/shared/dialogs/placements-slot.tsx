import type { CampaignWire } from '@zakup/contracts/wire-entities';
import { type ComponentType, createContext, createElement, type ReactNode, use } from 'react';

/** What the dashboard shows below its figures. */
export interface PlacementsSectionProps {
  readonly campaign: CampaignWire;
  readonly channelName: string;
  /** What has come to be said of all of them while they are in sight; false = nothing. It moves none of them. */
  readonly notice?: ReactNode;
  /** Opens the add dialog from outside; ignored where nothing may be added. */
  readonly adding: boolean;
  readonly onAddingChange: (adding: boolean) => void;
}

const SlotContext = createContext<ComponentType<PlacementsSectionProps> | null>(null);

/** The app layer gives the placements of a campaign to the dashboard: features do not know each other. */
export const PlacementsSlotProvider = SlotContext.Provider;

/** The placements, or nothing where the app layer has not given them. */
export const PlacementsSlot = (props: PlacementsSectionProps) => {
  const section = use(SlotContext);
  return section && createElement(section, props);
};
