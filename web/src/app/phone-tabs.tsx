import { More } from '@blueprintjs/icons';
import { NavLink, useLocation } from 'react-router-dom';
import { useLeadsToNow, useThenPath } from '../shared/moment/then-path.ts';
import { sectionAt } from './sections.ts';
import { useOpenLinks } from './side-links.tsx';

/** The first sections at the bottom of a phone, and the way to the others. */
export const PhoneTabs = ({ isOpen, onMore }: { readonly isOpen: boolean; readonly onMore: () => void }) => {
  const { pathname } = useLocation();
  const then = useThenPath();
  const leadsToNow = useLeadsToNow();
  const open = useOpenLinks();
  return (
    <nav className="z-tabs" aria-label="Разделы">
      {open.slice(0, 3).map(({ section, icon }) => (
        <NavLink
          key={section.path}
          to={then(section.path)}
          aria-current={sectionAt(pathname) === section ? 'page' : undefined}
        >
          {icon}
          {section.name}
          {leadsToNow(section.path) && (
            <>
              {' '}
              <small>сейчас</small>
            </>
          )}
        </NavLink>
      ))}
      <button type="button" aria-expanded={isOpen} onClick={onMore}>
        <More size={15} />
        Ещё
      </button>
    </nav>
  );
};
