import { CaretDown } from '@blueprintjs/icons';
import { useEffect } from 'react';
import { roleLabel } from '../shared/session/role-label.ts';
import { useSession } from '../shared/session/session-context.tsx';
import { Avatar } from '../shared/ui/avatar.tsx';
import { lazyPart } from '../shared/ui/lazy-part.tsx';
import { MenuButton, menuWaiting } from '../shared/ui/menu-button.tsx';
import { useSignOut } from './use-sign-out.ts';

const UserMenuItems = lazyPart(async () => (await import('./user-menu-items.tsx')).UserMenuItems, {
  waiting: menuWaiting(3),
});

/** Who is signed in, and a menu of what is theirs. */
export const UserMenu = () => {
  const { person } = useSession();
  const leave = useSignOut();
  // At once: who has lost the line leaves by it.
  useEffect(() => UserMenuItems.preload(), []);
  return (
    <MenuButton
      className="z-user-button"
      preload={UserMenuItems.preload}
      menu={
        <div className="z-user-menu">
          <div className="z-user-head">
            <b>{person.name}</b>
            <span>media buyer</span>
            <span className="z-quiet">{roleLabel(person.role)}</span>
          </div>
          <UserMenuItems onSignOut={leave} />
        </div>
      }
    >
      <span className="z-visually-hidden">Меню: {person.name}</span>
      <Avatar name={person.name} id={person.id} size={20} />
      <CaretDown size={13} />
    </MenuButton>
  );
};
