import type { DeliveryBook, StoredWebhook } from '@zakup/credentials/delivery-book';
import { webhooksDecider } from '@zakup/domain/webhooks/webhooks.decider';
import { decideOn } from '../pipeline/decide-on.ts';
import { type CommandHandlerDeps, handleCommand } from '../pipeline/handle-command.ts';
import { derivedEventId, requestHashOf } from '../pipeline/ids.ts';

/** Says in the log, and so to the owner, that the webhook tells nothing any more, and lets it rest. */
export const failWebhook = async (
  deps: CommandHandlerDeps & { readonly book: DeliveryBook },
  { id, licenceId, version }: Pick<StoredWebhook, 'id' | 'licenceId' | 'version'>,
  reason: 'unanswered' | 'rights',
  now: number,
): Promise<void> => {
  const path = `/webhooks/${id}/${version}/failed`;
  const envelope = {
    licenceId,
    actorId: 'system',
    commandId: derivedEventId(path, 0),
    requestHash: () => requestHashOf('PROCESS', path, null),
    source: 'system',
    at: new Date(now).toISOString(),
  } as const;
  const facts = { isEventType: () => true, hasCampaign: true };
  const handled = await handleCommand(deps, envelope, { entity: webhooksDecider, id: licenceId }, (session) =>
    decideOn({ session }, webhooksDecider, licenceId, { type: 'FailWebhook', webhookId: id, reason }, facts),
  );
  // One that was deleted is gone from the book as well, or will be.
  if (handled.kind === 'done') await deps.book.change(id, handled.position, { status: 'failing' });
};
