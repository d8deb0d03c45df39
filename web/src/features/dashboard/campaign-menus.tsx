import { Menu, MenuDivider, MenuItem } from '@blueprintjs/core';
import type { CampaignWire, ChannelWire } from '@zakup/contracts/wire-entities';
import { campaignStatusLabels, showCampaignName } from '@zakup/domain/topics';
import { Fragment } from 'react';
import { useMoment } from '../../shared/moment/moment-context.ts';
import { focusLateMenu } from '../../shared/ui/menu-focus.ts';
import { useReopen } from './use-reopen.ts';

const CampaignItems = ({
  campaigns,
  current,
  onChoose,
}: {
  readonly campaigns: readonly CampaignWire[];
  readonly current: string | null;
  readonly onChoose: (id: string) => void;
}) =>
  campaigns.map((one) => (
    <MenuItem
      key={one.id}
      text={showCampaignName(one.name)}
      label={campaignStatusLabels[one.status]}
      active={one.id === current}
      onClick={() => onChoose(one.id)}
    />
  ));

/** Always within reach: what is said of a completed campaign gives way to what is said of its rows. */
const ReopenItem = ({ campaign }: { readonly campaign: CampaignWire }) => {
  const { busy, reopen } = useReopen(campaign);
  const past = useMoment() !== null;
  return (
    reopen !== null &&
    !past && (
      <>
        <MenuDivider />
        <MenuItem text="Открыть снова" disabled={busy} onClick={reopen} />
      </>
    )
  );
};

interface CampaignMenuProps {
  /** Of all channels, in the order of menus. */
  readonly ordered: readonly CampaignWire[];
  /** The campaign on the screen, unless another channel is picked. */
  readonly shown: CampaignWire | null;
  readonly onChoose: (campaignId: string) => void;
}

/** All campaigns by channel. */
export const PhoneCampaignMenu = ({
  channels,
  ordered,
  shown,
  current,
  onChoose,
}: CampaignMenuProps & {
  readonly channels: readonly ChannelWire[];
  readonly current: string | null;
}) => (
  <Menu className="z-campaign-menu" ulRef={focusLateMenu}>
    {channels.map((one) => (
      <Fragment key={one.id}>
        <MenuDivider title={one.name} />
        {!ordered.some((other) => other.channelId === one.id) && <MenuItem disabled text="Нет доступных кампаний" />}
        <CampaignItems
          campaigns={ordered.filter((other) => other.channelId === one.id)}
          current={current}
          onChoose={onChoose}
        />
      </Fragment>
    ))}
    {shown && <ReopenItem campaign={shown} />}
  </Menu>
);

/** The campaigns of a channel, and those of the others that are active. */
export const CampaignMenu = ({
  channelId,
  ordered,
  shown,
  onChoose,
}: CampaignMenuProps & {
  /** `null` = none is chosen. */
  readonly channelId: string | null;
}) => {
  const ofChannel = ordered.filter((one) => one.channelId === channelId);
  const otherActive = ordered.filter((one) => one.status === 'ACTIVE' && one.channelId !== channelId);
  return (
    <Menu className="z-campaign-menu" ulRef={focusLateMenu}>
      {channelId === null && otherActive.length === 0 && <MenuItem disabled text="Сначала выберите канал" />}
      {channelId !== null && ofChannel.length === 0 && <MenuItem disabled text="Нет доступных кампаний" />}
      <CampaignItems campaigns={ofChannel} current={shown?.id ?? null} onChoose={onChoose} />
      {otherActive.length > 0 && <MenuDivider title="Другие активные" />}
      <CampaignItems campaigns={otherActive} current={null} onChoose={onChoose} />
      {shown && <ReopenItem campaign={shown} />}
    </Menu>
  );
};

export const ChannelMenu = ({
  channels,
  channelId,
  onPick,
}: {
  readonly channels: readonly ChannelWire[];
  readonly channelId: string | null;
  readonly onPick: (channelId: string) => void;
}) => (
  <Menu ulRef={focusLateMenu}>
    {channels.length === 0 && <MenuItem disabled text="Каналов ещё нет" />}
    {channels.map((one) => (
      <MenuItem key={one.id} text={one.name} active={one.id === channelId} onClick={() => onPick(one.id)} />
    ))}
  </Menu>
);
