import { Menu, MenuItem } from '@blueprintjs/core';
import { Flash, Key, LogOut, Moon, User } from '@blueprintjs/icons';
import { openLicence } from '../shared/licence/licence-opener.ts';
import { useMoment } from '../shared/moment/moment-context.ts';
import { useTheme } from '../shared/theme/theme.ts';
import { focusLateMenu } from '../shared/ui/menu-focus.ts';
import { useGo } from '../shared/ui/use-go.ts';
import { useNarrow } from '../shared/ui/use-media.ts';
import { sections } from './sections.ts';

/** The ways to the profile, the licence and out; on a phone the other theme too. */
export const UserMenuItems = ({ onSignOut }: { readonly onSignOut: () => void }) => {
  const go = useGo();
  const narrow = useNarrow();
  const { theme, toggle } = useTheme();
  const ofNow = useMoment() === null ? {} : { label: 'сейчас' };
  return (
    <Menu ulRef={focusLateMenu}>
      <MenuItem icon={<User size={14} />} text="Профиль" {...ofNow} onClick={() => go(sections.profile.path)} />
      <MenuItem icon={<Key size={14} />} text="Лицензия" {...ofNow} onClick={openLicence} />
      {narrow && (
        <MenuItem
          icon={theme === 'dark' ? <Flash size={14} /> : <Moon size={14} />}
          text={theme === 'dark' ? 'Светлая тема' : 'Тёмная тема'}
          onClick={toggle}
        />
      )}
      <MenuItem icon={<LogOut size={14} />} text="Выйти" onClick={onSignOut} />
    </Menu>
  );
};
