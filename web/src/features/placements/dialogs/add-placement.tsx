import { Plus } from '@blueprintjs/icons';
import { useSession } from '../../../shared/session/session-context.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { AddPlacementDialog } from './add-placement-dialog.tsx';
import type { PlacementForm } from './placement-form.ts';

const now = (): number => Date.now();

/** The dialog of a new placement while it is open, and on a narrow screen the button that opens it. */
export const AddPlacement = ({
  campaignId,
  narrow,
  adding,
  onAddingChange,
  onAdd,
}: {
  readonly campaignId: string;
  readonly narrow: boolean;
  readonly adding: boolean;
  readonly onAddingChange: (adding: boolean) => void;
  readonly onAdd: (form: PlacementForm) => void;
}) => {
  const { person } = useSession();
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
            onAdd(form);
          }}
          onClose={() => onAddingChange(false)}
        />
      )}
    </>
  );
};
