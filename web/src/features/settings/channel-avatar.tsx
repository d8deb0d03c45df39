import type { ChannelWire } from '@zakup/contracts/entities';
import { useState } from 'react';
import { Avatar, colourOf } from '../../shared/ui/avatar.tsx';

const isAddress = (text: string): boolean => /^(?:https?:\/\/|data:image\/|\/)/u.test(text);

/** What was given as avatar: a picture, an emoji or letters; the name's initials where there is nothing to show. */
export const ChannelAvatar = ({ channel }: { readonly channel: Pick<ChannelWire, 'id' | 'name' | 'avatar'> }) => {
  const [broken, setBroken] = useState<string | null>(null);
  const avatar = channel.avatar?.trim() ?? '';
  if (isAddress(avatar) && broken !== avatar)
    return (
      <img
        className="z-avatar z-settings-picture"
        src={avatar}
        alt=""
        referrerPolicy="no-referrer"
        onError={() => setBroken(avatar)}
      />
    );
  const sign = isAddress(avatar) ? '' : Array.from(avatar).slice(0, 2).join('');
  return sign === '' ? (
    <Avatar name={channel.name} id={channel.id} />
  ) : (
    <span className={`z-avatar z-avatar-26 z-person-${colourOf(channel.id)}`} aria-hidden="true">
      {sign}
    </span>
  );
};
