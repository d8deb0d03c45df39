import type { CampaignWire } from '@zakup/contracts/wire-entities';
import { dayOf, showTime } from '@zakup/domain/calendar';
import { showDate } from '../../shared/day/shown-day.ts';
import { useDocs } from '../../shared/replica/replica-context.tsx';
import { useNarrow } from '../../shared/ui/use-media.ts';
import { SlotFill } from '../../shared/ui/slots.tsx';

/** `Завершена 21 ноября в 14:20 · Ольга Демидова`, of the status line, which a phone has no room in; `null` while nobody knows. */
export const useCompletion = ({ status, completion }: CampaignWire): string | null => {
  const users = useDocs('user');
  if (status !== 'COMPLETED' || !completion) return null;
  const { at, by } = completion;
  const name = users.find(({ id }) => id === by)?.name;
  const when = `Завершена ${showDate(dayOf(at))} в ${showTime(at)}`;
  return name === undefined ? when : `${when} · ${name}`;
};

/** Who completed a campaign and when, where the frame says the state of the screen. */
export const CompletionNote = ({ campaign }: { readonly campaign: CampaignWire }) => {
  const said = useCompletion(campaign);
  const narrow = useNarrow();
  if (said === null || narrow) return null;
  return (
    <SlotFill name="status-left">
      <span className="z-status-text" title={said}>
        {said}
      </span>
    </SlotFill>
  );
};
