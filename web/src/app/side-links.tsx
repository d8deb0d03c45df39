import { Cog, Dashboard, History, Media, People, Shield, TimelineBarChart, User } from '@blueprintjs/icons';
import { formatNumber } from '@zakup/domain/russian';
import type { ReactNode } from 'react';
import { Link, NavLink, useLocation } from 'react-router-dom';
import { useDocs, useDrawn } from '../shared/replica/replica-context.tsx';
import { useLeadsToNow, useThenPath } from '../shared/moment/then-path.ts';
import { roleLabel } from '../shared/session/role-label.ts';
import { useSession } from '../shared/session/session-context.tsx';
import { Avatar } from '../shared/ui/avatar.tsx';
import { Logo } from '../shared/ui/logo.tsx';
import { SlotOutlet } from '../shared/ui/slots.tsx';
import { productName, type Section, sectionAt, sections } from './sections.ts';
import { SideCampaigns } from './side-campaigns.tsx';

const links: readonly { readonly section: Section; readonly icon: ReactNode }[] = [
  { section: sections.dashboard, icon: <Dashboard size={15} /> },
  { section: sections.analytics, icon: <TimelineBarChart size={15} /> },
  { section: sections.creatives, icon: <Media size={15} /> },
  { section: sections.contractors, icon: <People size={15} /> },
  { section: sections.journal, icon: <History size={15} /> },
  { section: sections.settings, icon: <Cog size={15} /> },
];

/** The sections that are open to the signed-in person, with their icons. */
export const useOpenLinks = () => {
  const { permissions } = useSession();
  return links.filter(({ section }) => section.permission === null || permissions[section.permission] === true);
};

const inUse = ({ isActive }: { readonly isActive: boolean }): boolean => isActive;

/** How many things a section lists, by its path; nothing until they are known. */
const useCounts = (): Readonly<Record<string, string>> => {
  const drawn = useDrawn('workspace');
  const creatives = useDocs('creative', { where: inUse }).length;
  const contractors = useDocs('contractor', { where: inUse }).length;
  return drawn
    ? {
        [sections.creatives.path]: formatNumber(creatives),
        [sections.contractors.path]: formatNumber(contractors),
      }
    : {};
};

/** All there is to go to: in the sidebar, or in the drawer, which `onGo` closes. */
export const SideLinks = ({ onGo }: { readonly onGo?: () => void }) => {
  const { person, permissions } = useSession();
  const counts = useCounts();
  const { pathname } = useLocation();
  const then = useThenPath();
  const leadsToNow = useLeadsToNow();
  const here = sectionAt(pathname);
  return (
    <>
      <Link to={then('/dashboard')} className="z-side-title" {...(onGo && { onClick: onGo })}>
        <Logo size={20} />
        <span>{productName}</span>
      </Link>
      <nav aria-label="Разделы" className="z-side-nav">
        {useOpenLinks().map(({ section, icon }) => (
          <NavLink
            key={section.path}
            to={then(section.path)}
            title={section.name}
            aria-current={here === section ? 'page' : undefined}
            {...(onGo && { onClick: onGo })}
          >
            {icon}
            <span>{section.name}</span>
            {leadsToNow(section.path) ? (
              <small>сейчас</small>
            ) : (
              counts[section.path] !== undefined && <small>{counts[section.path]}</small>
            )}
          </NavLink>
        ))}
      </nav>
      <SideCampaigns onGo={onGo} />
      {onGo === undefined && <SlotOutlet name="sidebar" className="z-side-slot" />}
      <nav aria-label="Личное" className="z-side-nav z-side-foot">
        {permissions['admin'] === true && (
          <NavLink to={sections.licenceAdmin.path} title={sections.licenceAdmin.name} {...(onGo && { onClick: onGo })}>
            <Shield size={15} />
            <span>{sections.licenceAdmin.name}</span>
            {leadsToNow(sections.licenceAdmin.path) ? (
              <small>сейчас</small>
            ) : (
              <small className="z-chip z-chip-accent">ADMIN</small>
            )}
          </NavLink>
        )}
        <NavLink to={sections.profile.path} title={sections.profile.name} {...(onGo && { onClick: onGo })}>
          <User size={15} />
          <span>{sections.profile.name}</span>
          {leadsToNow(sections.profile.path) && <small>сейчас</small>}
        </NavLink>
        <div className="z-side-person">
          <Avatar name={person.name} id={person.id} />
          <span>
            <b>{person.name}</b>
            <small>{roleLabel(person.role)}</small>
          </span>
        </div>
      </nav>
    </>
  );
};
