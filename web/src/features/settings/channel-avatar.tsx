import type { ChannelWire } from '@zakup/contracts/wire-entities';
import { isPictureInText, schemeOf } from '@zakup/domain/address';
import { useState } from 'react';
import { Avatar, colourOf, firstSigns } from '../../shared/ui/avatar.tsx';

/** Pictures of other machines are not asked for: `Content-Security-Policy` refuses them. Nor is what was stored before it was refused. */
const isAddress = (text: string): boolean => schemeOf(text) !== null || text.startsWith('/');

/** One emoji, or two letters. */
const signOf = (text: string): string => {
  const first = firstSigns(text, 1);
  return /\p{Extended_Pictographic}|\p{Regional_Indicator}/u.test(first) ? first : firstSigns(text, 2);
};

/** What was given as avatar: a picture, an emoji or letters; the name's initials where there is nothing to show. */
export const ChannelAvatar = ({ channel }: { readonly channel: Pick<ChannelWire, 'id' | 'name' | 'avatar'> }) => {
  const [broken, setBroken] = useState<string | null>(null);
  const avatar = channel.avatar?.trim() ?? '';
  if (isPictureInText(avatar) && broken !== avatar)
    return <img className="z-avatar z-settings-picture" src={avatar} alt="" onError={() => setBroken(avatar)} />;
  const sign = isAddress(avatar) ? '' : signOf(avatar);
  return sign === '' ? (
    <Avatar name={channel.name} id={channel.id} />
  ) : (
    <span className={`z-avatar z-avatar-26 z-person-${colourOf(channel.id)}`} aria-hidden="true">
      {sign}
    </span>
  );
};
