import { Plus, Trash } from '@blueprintjs/icons';
import type { KeyWire } from '@zakup/contracts/wire-entities';
import { useState } from 'react';
import { relativeTime } from '../../shared/day/relative-time.ts';
import { showInstant } from '../../shared/day/shown-day.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Chip } from '../../shared/ui/chip.tsx';
import { ListBar } from '../../shared/ui/list-bar.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../shared/ui/states.tsx';
import { accessLabels, type CreatedKey, KeyDialog } from './key-dialog.tsx';
import { shownOnce } from './shown-once.ts';
import { RemoveDialog } from './remove-dialog.tsx';
import { ShownSecret } from './shown-secret.tsx';
import { useKeys } from './use-keys.ts';

type Opened = { readonly kind: 'form' } | { readonly kind: 'remove'; readonly key: KeyWire };

const useCreatedKeys = shownOnce(({ key }: CreatedKey) => key.id);

const isOver = ({ expiresAt }: KeyWire, now: number): boolean => expiresAt !== null && Date.parse(expiresAt) <= now;

const usedText = ({ lastUsedAt }: KeyWire, now: number): string =>
  lastUsedAt === null ? 'ещё не использован' : `использован ${relativeTime(lastUsedAt, now)}`;

const termText = (key: KeyWire, now: number): string => {
  if (key.expiresAt === null) return 'без срока';
  return `${isOver(key, now) ? 'срок вышел' : 'до'} ${showInstant(key.expiresAt)}`;
};

const KeyItem = ({
  shown,
  now,
  onRemove,
}: {
  readonly shown: KeyWire;
  readonly now: number;
  readonly onRemove: () => void;
}) => (
  <li>
    <span className="z-settings-name">
      <b>{shown.name}</b>
      <small className="z-secondary">
        <span className="z-mono">{shown.prefix}…</span>, {accessLabels[shown.access].toLowerCase()},{' '}
        {termText(shown, now)}, {usedText(shown, now)}
      </small>
    </span>
    {isOver(shown, now) && <Chip>не действует</Chip>}
    <Button look="plain" icon={<Trash size={14} />} aria-label={`Удалить: ${shown.name}`} onClick={onRemove} />
  </li>
);

/** The keys by which programs act for the owner. */
export const KeysTab = ({ now = Date.now }: { readonly now?: () => number }) => {
  const { keys, error, retry, changed } = useKeys();
  const [opened, setOpened] = useState<Opened | null>(null);
  const created = useCreatedKeys();
  const close = (): void => setOpened(null);
  const add = (
    <Button look="primary" icon={<Plus size={14} />} onClick={() => setOpened({ kind: 'form' })}>
      Создать ключ
    </Button>
  );
  return (
    <div className="z-settings-body">
      {created.shown.map((one) => (
        <ShownSecret
          key={one.key.id}
          title={`Ключ «${one.key.name}» создан`}
          secret={one.secret}
          what={`ключ ${one.key.name}`}
          note="Показан один раз: скопируйте его сейчас. Потерянный ключ заменяют новым."
          lost="Если его не записали, удалите ключ и создайте новый."
          testId="key-secret"
          onClose={() => created.putAway(one.key.id)}
        />
      ))}
      {keys === null ? (
        error === null ? (
          <Skeleton rows={4} height={38} />
        ) : (
          <ErrorState error={error} onRetry={retry} />
        )
      ) : keys.length === 0 ? (
        <EmptyState title="Ключей ещё нет" actions={add}>
          Ключ даёт программе доступ к данным команды без пароля: для отчётов, таблиц и своих интеграций.
        </EmptyState>
      ) : (
        <>
          <ListBar>{add}</ListBar>
          <ul className="z-settings-list z-key-list z-panel z-panel-flush" aria-label="Ключи">
            {keys.map((key) => (
              <KeyItem key={key.id} shown={key} now={now()} onRemove={() => setOpened({ kind: 'remove', key })} />
            ))}
          </ul>
        </>
      )}
      {opened?.kind === 'form' && (
        <KeyDialog
          now={now}
          onCreated={(made) => {
            created.add(made);
            changed();
          }}
          onClose={close}
        />
      )}
      {opened?.kind === 'remove' && (
        <RemoveDialog
          title={`Удалить ключ «${opened.key.name}»?`}
          path={`/api/keys/${encodeURIComponent(opened.key.id)}`}
          onRemoved={() => {
            created.putAway(opened.key.id);
            changed();
          }}
          onClose={close}
        >
          Программы с этим ключом сразу потеряют доступ. Вернуть его нельзя, можно создать новый.
        </RemoveDialog>
      )}
    </div>
  );
};
