import { Document, Help, Media, Video } from '@blueprintjs/icons';
import { showCreativeType } from '@zakup/domain/topics';
import type { ReactNode } from 'react';

const icons: Readonly<Record<string, ReactNode>> = {
  TEXT_ONLY: <Document size={13} />,
  TEXT_WITH_IMAGE: <Media size={13} />,
  TEXT_WITH_VIDEO: <Video size={13} />,
};

/** What a creative is made of, as a picture with its name. */
export const CreativeTypeIcon = ({ type }: { readonly type: string }) => (
  <span title={showCreativeType(type)}>
    {icons[type] ?? <Help size={13} />}
    <span className="z-visually-hidden">{showCreativeType(type)}</span>
  </span>
);
