import { hash } from 'node:crypto';
import type { StreamName } from '../event-store.ts';

/** How this installation's streams are called on the server. */
export interface ServerNames {
  /** Throws a TypeError for a name that no subscription would ever see. */
  onServer(stream: StreamName): string;
  /** Undefined for the name of somebody else's stream. */
  ofServer(name: string): StreamName | undefined;
  /** Expression for the server's filter: entity streams of these partitions, absent = all. */
  entities(partitions?: readonly string[]): string;
  /** Expression for the server's filter: one licence's entity streams. */
  licence(licenceId: string): string;
  /** Stream of a command's plans. Its name comes from the key alone, for whoever looks a command up knows no more. */
  command(commandKey: string): StreamName;
}

const streamName = /^[a-z]+-./;
const commandCategory = 'command';

const literally = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** `<namespace>_<stream>`, or the stream's own name without a namespace (letters and digits only). */
export const serverNames = (namespace: string | undefined): ServerNames => {
  if (namespace !== undefined && !/^[A-Za-z0-9]{1,64}$/.test(namespace)) {
    throw new TypeError(`Namespace ${namespace} is not made of 1 to 64 letters and digits`);
  }
  const prefix = namespace === undefined ? '' : `${namespace}_`;
  const entities = `^${prefix}(?!${commandCategory}-)[a-z]+-`;
  return {
    onServer(stream) {
      if (!streamName.test(stream)) throw new TypeError(`Stream ${stream} is not called <category>-<licence>~<id>`);
      return prefix + stream;
    },
    ofServer(name) {
      if (!name.startsWith(prefix)) return undefined;
      const stream = name.slice(prefix.length);
      return streamName.test(stream) ? stream : undefined;
    },
    entities(partitions) {
      if (partitions === undefined) return entities;
      // An expression that nothing fits: whoever wants no partition is still told how far the log has come.
      return partitions.length === 0 ? '(?!)' : `${entities}(?:${partitions.map(literally).join('|')})`;
    },
    licence: (licenceId) => `${entities}${literally(licenceId)}~`,
    command(commandKey) {
      const digest = hash('sha256', commandKey, 'hex').slice(0, 40);
      return `${commandCategory}-${digest.slice(0, 2)}~${digest}`;
    },
  };
};
