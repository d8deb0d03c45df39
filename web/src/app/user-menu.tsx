import { Menu, MenuItem } from '@blueprintjs/core';
import { CaretDown, Flash, Key, LogOut, Moon, User } from '@blueprintjs/icons';
import { openLicence } from '../shared/licence/licence-opener.ts';
import { useMoment } from '../shared/moment/moment-context.ts';
import { roleLabel } from '../shared/session/role-label.ts';
import { useSession } from '../shared/session/session-context.tsx';
import { useTheme } from '../shared/theme/theme.ts';
import { Avatar } from '../shared/ui/avatar.tsx';
import { MenuButton } from '../shared/ui/menu-button.tsx';
import { useGo } from '../shared/ui/use-go.ts';
import { useNarrow } from '../shared/ui/use-media.ts';
import { sections } from './sections.ts';
import { useSignOut } from './use-sign-out.ts';

/** Who is signed in, and the ways to the profile, the licence and out; on a phone the other theme too. */
export const UserMenu = () => {
  const { person } = useSession();
  const leave = useSignOut();
  const go = useGo();
  const narrow = useNarrow();
  const { theme, toggle } = useTheme();
  const ofNow = useMoment() === null ? {} : { label: 'сейчас' };
  return (
    <MenuButton
      className="z-user-button"
      menu={
        <div className="z-user-menu">
          <div className="z-user-head">
            <b>{person.name}</b>
            <span>media buyer</span>
            <span className="z-quiet">{roleLabel(person.role)}</span>
          </div>
          <Menu>
            <MenuItem icon={<User size={14} />} text="Профиль" {...ofNow} onClick={() => go(sections.profile.path)} />
            <MenuItem icon={<Key size={14} />} text="Лицензия" {...ofNow} onClick={openLicence} />
            {narrow && (
              <MenuItem
                icon={theme === 'dark' ? <Flash size={14} /> : <Moon size={14} />}
                text={theme === 'dark' ? 'Светлая тема' : 'Тёмная тема'}
                onClick={toggle}
              />
            )}
            <MenuItem icon={<LogOut size={14} />} text="Выйти" onClick={leave} />
          </Menu>
        </div>
      }
    >
      <span className="z-visually-hidden">Меню: {person.name}</span>
      <Avatar name={person.name} id={person.id} size={20} />
      <CaretDown size={13} />
    </MenuButton>
  );
};
