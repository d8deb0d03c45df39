export type ConnectionState = 'online' | 'connecting' | 'offline';

const words: Record<ConnectionState, string> = { online: 'На связи', connecting: 'Подключение', offline: 'Нет связи' };

/** A dot and a word. `text` replaces the word. */
export const ConnectionMark = ({ state, text }: { readonly state: ConnectionState; readonly text?: string }) => (
  <span className={`z-connection z-connection-${state}`}>
    <i className="z-dot" aria-hidden="true" />
    {text ?? words[state]}
  </span>
);
