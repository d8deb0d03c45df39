import { type Entry, isHeld, waitsForRefused } from '../outbox/entry.ts';
import { useKnownEntries, useOwnOutbox } from '../outbox/outbox-context.tsx';
import { Button } from '../ui/button.tsx';
import { Chip } from '../ui/chip.tsx';
import './kept-mark.css';

const whatOf = (entry: Entry): string =>
  entry.creates === true ? 'новое' : entry.method === 'DELETE' ? 'удаление' : 'изменение';

/** Beside what the server does not have as it is shown: whether it goes by itself, and the way on where it does not. */
export const KeptMark = ({ entry, name }: { readonly entry: Entry | null; readonly name: string }) => {
  const outbox = useOwnOutbox();
  const { entries } = useKnownEntries();
  if (entry === null || outbox === null) return null;
  const { state } = entry;
  switch (state.kind) {
    case 'acknowledged':
      return null;
    case 'pending':
      if (waitsForRefused(entry, entries)) return <Chip tone="mid">ждёт отклонённого: {whatOf(entry)}</Chip>;
      return (
        <Chip tone="mid">
          {isHeld(entry) ? 'не сохранено' : 'отправится'}: {whatOf(entry)}
        </Chip>
      );
    case 'rejected':
      return (
        <span className="z-kept">
          <Chip tone="bad">отклонено: {whatOf(entry)}</Chip>
          <span className="z-bad">{state.reason}</span>
          <Button small aria-label={`Убрать отклонённое: ${name}`} onClick={() => outbox.dismiss(entry.id)}>
            Убрать
          </Button>
        </span>
      );
    case 'conflict':
      return (
        <span className="z-kept">
          <Chip tone="mid">изменено и другим</Chip>
          <Button small aria-label={`Оставить моё: ${name}`} onClick={() => outbox.keepMine(entry.id)}>
            Оставить моё
          </Button>
          <Button small aria-label={`Взять новое: ${name}`} onClick={() => outbox.takeTheirs(entry.id)}>
            Взять новое
          </Button>
        </span>
      );
  }
};
