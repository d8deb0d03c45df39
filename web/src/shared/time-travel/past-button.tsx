import { History } from '@blueprintjs/icons';
import { Button } from '../ui/button.tsx';
import { usePast } from './past-context.ts';

/** «Как было»: the way to another moment, where there is one. */
export const PastButton = ({ campaignId }: { readonly campaignId: string | null }) => {
  const past = usePast();
  if (past === null || past.state !== null) return null;
  return (
    <Button look="plain" className="z-past-button" icon={<History size={14} />} onClick={() => past.enter(campaignId)}>
      Как было
    </Button>
  );
};
