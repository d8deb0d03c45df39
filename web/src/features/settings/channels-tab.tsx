import { Edit, Plus, Trash } from '@blueprintjs/icons';
import type { ChannelWire } from '@zakup/contracts/wire-entities';
import { formatNumber, plural } from '@zakup/domain/russian';
import { useState } from 'react';
import { KeptMark } from '../../shared/kept/kept-mark.tsx';
import { useKeptDocs } from '../../shared/kept/use-kept-docs.ts';
import { Button } from '../../shared/ui/button.tsx';
import { EmptyState } from '../../shared/ui/states.tsx';
import { ChannelAvatar } from './channel-avatar.tsx';
import { ChannelDialog } from './channel-dialog.tsx';
import { RemoveDialog } from './remove-dialog.tsx';
import { useRights } from '../../shared/session/use-rights.ts';
import { ListBar } from '../../shared/ui/list-bar.tsx';

type Opened = { readonly kind: 'form' | 'remove'; readonly id: string | null };

export const byName = (one: { readonly name: string }, other: { readonly name: string }): number =>
  one.name.localeCompare(other.name, 'ru');

export const ChannelsTab = () => {
  const { can } = useRights();
  const channels = useKeptDocs('channel');
  const campaigns = useKeptDocs('campaign').map(({ doc }) => doc);
  const [opened, setOpened] = useState<Opened | null>(null);
  const close = (): void => setOpened(null);
  const chosen = channels.find(({ doc: { id } }) => id === opened?.id) ?? null;
  const mayAdd = can('channel.create');
  const mayChange = can('channel.change');
  const mayRemove = can('channel.remove');
  const add = mayAdd && (
    <Button look="primary" icon={<Plus size={14} />} onClick={() => setOpened({ kind: 'form', id: null })}>
      Добавить канал
    </Button>
  );
  const count = (channel: ChannelWire): string => {
    const number = campaigns.filter(({ channelId }) => channelId === channel.id).length;
    return number === 0
      ? 'кампаний нет'
      : `${formatNumber(number)} ${plural(number, 'кампания', 'кампании', 'кампаний')}`;
  };
  return (
    <div className="z-settings-body">
      {channels.length === 0 ? (
        <EmptyState title="Каналов ещё нет" actions={add}>
          Канал объединяет кампании: с него начинается работа.
        </EmptyState>
      ) : (
        <>
          <ListBar>{add}</ListBar>
          <ul className="z-settings-list z-panel z-panel-flush" aria-label="Каналы">
            {[...channels]
              .sort((a, b) => byName(a.doc, b.doc))
              .map(({ doc: channel, entry }) => (
                <li key={channel.id}>
                  <ChannelAvatar channel={channel} />
                  <span className="z-settings-name">
                    <b>{channel.name}</b>
                    <small className="z-secondary">{count(channel)}</small>
                  </span>
                  <KeptMark entry={entry} name={channel.name} />
                  {mayChange && (
                    <Button
                      look="plain"
                      icon={<Edit size={14} />}
                      aria-label={`Изменить: ${channel.name}`}
                      onClick={() => setOpened({ kind: 'form', id: channel.id })}
                    />
                  )}
                  {mayRemove && (
                    <Button
                      look="plain"
                      icon={<Trash size={14} />}
                      aria-label={`Удалить: ${channel.name}`}
                      onClick={() => setOpened({ kind: 'remove', id: channel.id })}
                    />
                  )}
                </li>
              ))}
          </ul>
        </>
      )}
      {opened?.kind === 'form' && (opened.id === null || chosen !== null) && (
        <ChannelDialog channel={chosen?.doc ?? null} entry={chosen?.entry ?? null} onClose={close} />
      )}
      {opened?.kind === 'remove' && chosen !== null && (
        <RemoveDialog
          title={`Удалить канал «${chosen.doc.name}»?`}
          path={`/api/channels/${chosen.doc.id}`}
          revision={chosen.doc.revision}
          kept={{ kind: 'channel', doc: chosen.doc, label: `Удалить канал «${chosen.doc.name}»` }}
          onClose={close}
        >
          Канал с кампаниями удалить нельзя.
        </RemoveDialog>
      )}
    </div>
  );
};
