import type { CodeCipher } from './code-cipher.ts';
import type { StoredWebhook } from './delivery-book.ts';

type Opening = Pick<StoredWebhook, 'licenceId' | 'url' | 'secret'>;

/** Address and secret as they are kept: the address of many a receiver is a secret as well. */
export const hideWebhook = <Webhook extends Opening>(codes: CodeCipher, webhook: Webhook): Webhook => {
  const { licenceId } = webhook;
  return {
    ...webhook,
    url: codes.hide({ licenceId, member: 'webhookUrl' }, webhook.url),
    secret: codes.hide({ licenceId, member: 'webhookSecret' }, webhook.secret),
  };
};

/** Throws `CodeNotReadable` where they were hidden with another key. */
export const showWebhook = <Webhook extends Opening>(codes: CodeCipher, webhook: Webhook): Webhook => {
  const { licenceId } = webhook;
  return {
    ...webhook,
    url: codes.show({ licenceId, member: 'webhookUrl' }, webhook.url),
    secret: codes.show({ licenceId, member: 'webhookSecret' }, webhook.secret),
  };
};
