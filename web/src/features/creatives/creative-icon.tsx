import { Document, Help, Media, Video } from '@blueprintjs/icons';

/** The sign of a creative's type; the label beside it says it in words. */
export const CreativeIcon = ({ type }: { readonly type: string }) => {
  switch (type) {
    case 'TEXT_ONLY':
      return <Document size={15} />;
    case 'TEXT_WITH_IMAGE':
      return <Media size={15} />;
    case 'TEXT_WITH_VIDEO':
      return <Video size={15} />;
    default:
      return <Help size={15} />;
  }
};
