import { CaretDown, Plus } from '@blueprintjs/icons';
import type { CampaignWire, ChannelWire } from '@zakup/contracts/wire-entities';
import { showCampaignName } from '@zakup/domain/topics';
import { useState } from 'react';
import { useMoment } from '../../shared/moment/moment-context.ts';
import { PastButton } from '../../shared/time-travel/past-button.tsx';
import { useNarrow } from '../../shared/ui/use-media.ts';
import { Button } from '../../shared/ui/button.tsx';
import { lazyPart } from '../../shared/ui/lazy-part.tsx';
import { MenuButton, menuWaiting } from '../../shared/ui/menu-button.tsx';
import { SlotFill } from '../../shared/ui/slots.tsx';
import { inOrder } from '../../shared/campaign/campaign-choice.ts';
import { shortCampaignName } from '../../shared/campaign/short-campaign-name.ts';
import { periodText } from '../../shared/campaign/period-text.ts';
import { KindNote } from '../../shared/explanations/figure-kind.tsx';
import { StatusChip } from '../../shared/campaign/status-chip.tsx';

export interface CampaignHeaderProps {
  readonly channels: readonly ChannelWire[];
  readonly campaigns: readonly CampaignWire[];
  readonly campaign: CampaignWire | null;
  readonly today: string;
  readonly onChoose: (campaignId: string) => void;
  /** `null` = nothing may be added here. */
  readonly onAdd: (() => void) | null;
}

const PhoneCampaignMenu = lazyPart(async () => (await import('./campaign-menus.tsx')).PhoneCampaignMenu, {
  waiting: menuWaiting(6),
});
const ChannelMenu = lazyPart(async () => (await import('./campaign-menus.tsx')).ChannelMenu, {
  waiting: menuWaiting(3),
});
const CampaignMenu = lazyPart(async () => (await import('./campaign-menus.tsx')).CampaignMenu, {
  waiting: menuWaiting(5),
});

interface TitleProps {
  readonly channels: readonly ChannelWire[];
  /** Of all channels, in the order of menus. */
  readonly ordered: readonly CampaignWire[];
  readonly channel: ChannelWire | null;
  /** The campaign on the screen. */
  readonly campaign: CampaignWire | null;
  /** The same, unless another channel is picked. */
  readonly shown: CampaignWire | null;
  /** The campaign's name without its channel's. */
  readonly own: string;
  readonly onChoose: (campaignId: string) => void;
}

/** In the bar of a phone: the campaign, and all others by channel. */
const PhoneTitle = ({ channels, ordered, channel, campaign, shown, own, onChoose }: TitleProps) => (
  <SlotFill name="phone-title">
    <h1>
      <MenuButton
        className="z-phone-title"
        placement="bottom-start"
        preload={PhoneCampaignMenu.preload}
        menu={
          <PhoneCampaignMenu
            channels={channels}
            ordered={ordered}
            shown={shown}
            current={campaign?.id ?? null}
            onChoose={onChoose}
          />
        }
      >
        <span>
          <b>{own}</b>
          <small>{channel?.name}</small>
        </span>
        <CaretDown size={14} />
      </MenuButton>
    </h1>
  </SlotFill>
);

/** Channel / campaign, each with its menu. */
const WideTitle = ({
  channels,
  ordered,
  channel,
  campaign,
  shown,
  own,
  channelId,
  title,
  onPick,
  onChoose,
}: TitleProps & {
  /** Of `channel`, also where that is not known; null = none is chosen. */
  readonly channelId: string | null;
  readonly title: string;
  /** A channel, of which a campaign is yet to be chosen. */
  readonly onPick: (channelId: string) => void;
}) => {
  const [opened, setOpened] = useState(false);
  const choose = (id: string): void => {
    setOpened(false);
    onChoose(id);
  };
  return (
    <>
      <MenuButton
        className="z-channel-button"
        title={channel?.name}
        placement="bottom-start"
        preload={ChannelMenu.preload}
        menu={
          <ChannelMenu
            channels={channels}
            channelId={channelId}
            onPick={(id) => {
              onPick(id);
              if (id !== campaign?.channelId) setOpened(true);
            }}
          />
        }
      >
        <span>{channel?.name ?? 'Выберите канал'}</span>
        <CaretDown size={13} />
      </MenuButton>
      <span className="z-quiet" aria-hidden="true">
        /
      </span>
      <h1>
        <MenuButton
          className={shown ? 'z-campaign-button' : 'z-channel-button'}
          title={title}
          aria-label={title}
          placement="bottom-start"
          isOpen={opened}
          onOpenChange={setOpened}
          preload={CampaignMenu.preload}
          menu={<CampaignMenu channelId={channelId} ordered={ordered} shown={shown} onChoose={choose} />}
        >
          <span>{own}</span>
          <CaretDown size={14} />
        </MenuButton>
      </h1>
    </>
  );
};

/** Channel, then campaign; the campaigns that are active are one step away. */
export const CampaignHeader = ({ channels, campaigns, campaign, today, onChoose, onAdd }: CampaignHeaderProps) => {
  const narrow = useNarrow();
  const past = useMoment() !== null;
  const [picked, setPicked] = useState<string | null>(null);
  const channelId = picked ?? campaign?.channelId ?? null;
  const channel = channels.find((one) => one.id === channelId) ?? null;
  const ordered = inOrder(campaigns);
  const shown = campaign && campaign.channelId === channelId ? campaign : null;
  const title = shown ? showCampaignName(shown.name) : 'Выберите кампанию';
  const own = shown ? shortCampaignName(shown.name, channel?.name) : title;
  const period = shown ? periodText(shown, today) : '';
  const choose = (id: string): void => {
    setPicked(null);
    onChoose(id);
  };
  const titleProps = { channels, ordered, channel, campaign, shown, own, onChoose: choose };
  const state = (
    <>
      {shown && <StatusChip status={shown.status} />}
      {period !== '' && <span className="z-secondary">{period}</span>}
      {shown && <KindNote campaignId={shown.id} />}
    </>
  );
  if (narrow)
    return (
      <>
        <PhoneTitle {...titleProps} />
        {past && <h1 className="z-campaign-past">{title}</h1>}
        {shown && (
          <header className="z-campaign-head">
            {/* Whole here: the bar may have no room for it, and its heading names it to everybody already. */}
            {!past && (
              <p className="z-campaign-name" aria-hidden="true">
                {title}
              </p>
            )}
            {state}
            <PastButton campaignId={shown.id} />
          </header>
        )}
      </>
    );
  return (
    <header className="z-campaign-head">
      <WideTitle {...titleProps} channelId={channelId} title={title} onPick={setPicked} />
      {state}
      {shown && <PastButton campaignId={shown.id} />}
      {shown && onAdd && (
        <Button
          look="primary"
          className="z-campaign-add"
          icon={<Plus size={14} />}
          hotkey="Ctrl ↵"
          aria-keyshortcuts="Control+Enter"
          onClick={onAdd}
        >
          Добавить размещение
        </Button>
      )}
    </header>
  );
};
