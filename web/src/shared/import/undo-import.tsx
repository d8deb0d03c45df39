import type { ImportWire } from '@zakup/contracts/imports';
import type { UndoChoice } from '@zakup/domain/undo';
import { useState } from 'react';
import { UndoChoiceDialog } from '../history/undo-choice-dialog.tsx';
import { Button } from '../ui/button.tsx';
import { importLabel, isUndone, progressOf } from './import-state.ts';
import { ImportUndoQuestion } from './import-undo-question.tsx';
import { useAsked } from './use-asked.ts';

interface UndoImportProps {
  readonly one: ImportWire;
  readonly small?: boolean;
  /** Called with the position at which it began. */
  readonly onBegun?: (position: number) => void;
}

/** The way to take back what an import wrote, where something of it is there. */
export const UndoImport = ({ one, small = false, onBegun }: UndoImportProps) => {
  const { busy, problem, clash, ask, putAway } = useAsked();
  const [asking, setAsking] = useState(false);
  if (one.added + one.changed === 0 || isUndone(one) || progressOf(one) !== null) return null;
  const takeBack = async (choice?: UndoChoice): Promise<void> => {
    setAsking(false);
    const more = choice === undefined ? {} : { onConflict: choice };
    const position = await ask('POST', '/api/undo', { commandId: one.id, ...more });
    if (position !== null) onBegun?.(position);
  };
  return (
    <>
      <Button small={small} disabled={busy} onClick={() => setAsking(true)}>
        Отменить импорт
      </Button>
      {problem !== null && (
        <span role="alert" className="z-bad">
          {problem}
        </span>
      )}
      {clash !== null && clash.undo !== null && (
        <UndoChoiceDialog
          what={importLabel(one)}
          way="undo"
          conflicts={clash.conflicts}
          rows={clash.undo}
          onChoose={(choice) => void takeBack(choice)}
          onClose={putAway}
        />
      )}
      {asking && (
        <ImportUndoQuestion
          added={one.added}
          changed={one.changed}
          onConfirm={() => void takeBack()}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
};
