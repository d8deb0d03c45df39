import { Plus } from '@blueprintjs/icons';
import { useRef } from 'react';
import { useSession } from '../../../shared/session/session-context.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { AddPlacementDialog } from './add-placement-dialog.tsx';
import type { AddedMore } from '../rows/use-placement-actions.ts';
import type { PlacementForm } from './placement-form.ts';

const now = (): number => Date.now();

/** The dialog of a new placement while it is open, and on a narrow screen the button that opens it. */
export const AddPlacement = ({
  campaignId,
  narrow,
  adding,
  onAddingChange,
  onAdd,
  onAddMore,
}: {
  readonly campaignId: string;
  readonly narrow: boolean;
  readonly adding: boolean;
  readonly onAddingChange: (adding: boolean) => void;
  readonly onAdd: (form: PlacementForm) => void;
  readonly onAddMore: (form: PlacementForm) => AddedMore;
}) => {
  const { person } = useSession();
  const lastAdded = useRef<AddedMore | null>(null);
  return (
    <>
      {narrow && (
        <Button
          look="primary"
          className="z-add-floating"
          icon={<Plus size={16} />}
          onClick={() => onAddingChange(true)}
        >
          Добавить
        </Button>
      )}
      {adding && (
        <AddPlacementDialog
          campaignId={campaignId}
          now={now}
          buyerId={person.id}
          onAdd={(form) => {
            onAddingChange(false);
            lastAdded.current = null;
            onAdd(form);
          }}
          onAddMore={(form) => {
            const added = onAddMore(form);
            lastAdded.current = added;
            return added.isTaken;
          }}
          onClose={() => {
            onAddingChange(false);
            lastAdded.current?.show();
            lastAdded.current = null;
          }}
        />
      )}
    </>
  );
};
