import { Drawer, Menu, MenuItem, PopoverNext } from '@blueprintjs/core';
import {
  CaretDown,
  Cog,
  Cross,
  Dashboard,
  Flash,
  History,
  Key,
  Lock,
  LogOut,
  Media,
  Menu as MenuIcon,
  Moon,
  More,
  People,
  Shield,
  TimelineBarChart,
  User,
} from '@blueprintjs/icons';
import { formatNumber } from '@zakup/domain/russian';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { Link, NavLink, Outlet, useLocation } from 'react-router-dom';
import { ContractorDialogHost } from '../features/contractors/contractor-dialog-host.tsx';
import { LicenceBanner } from '../features/licence/licence-banner.tsx';
import { LicenceHost } from '../features/licence/licence-host.tsx';
import { Bell } from '../features/notifications/bell.tsx';
import { PaletteHost } from '../features/palette/palette-host.tsx';
import { type PlacementsSectionProps, PlacementsSlotProvider } from '../shared/dialogs/placements-slot.tsx';
import { openLicence } from '../shared/licence/licence-opener.ts';
import { DataProvider } from '../shared/live/data-provider.tsx';
import { useDocs, useDrawn } from '../shared/replica/replica-context.tsx';
import { PastHost } from '../shared/past/past-host.tsx';
import { TimeBar } from '../shared/past/time-bar.tsx';
import { useSession } from '../shared/session/session-context.tsx';
import { roleLabel } from '../shared/session/role-label.ts';
import '../shared/theme/blueprint.css';
import { useTheme } from '../shared/theme/theme.ts';
import { ToastHost } from '../shared/toasts/toast-host.tsx';
import { asModal } from '../shared/ui/as-modal.ts';
import { Avatar } from '../shared/ui/avatar.tsx';
import { Button } from '../shared/ui/button.tsx';
import { Logo } from '../shared/ui/logo.tsx';
import { useGo } from '../shared/ui/use-go.ts';
import { Skeleton } from '../shared/ui/states.tsx';
import { SlotOutlet, SlotProvider } from '../shared/ui/slots.tsx';
import { rememberView } from './remembered-view.ts';
import { SideCampaigns } from './side-campaigns.tsx';
import { productName, type Section, sectionAt, sections } from './sections.ts';
import './shell.css';

const LazyPlacements = lazy(async () => ({
  default: (await import('../features/placements/placements-section.tsx')).PlacementsSection,
}));

const PlacementsSection = (props: PlacementsSectionProps) => (
  <Suspense fallback={<Skeleton rows={8} />}>
    <LazyPlacements {...props} />
  </Suspense>
);

const links: readonly { readonly section: Section; readonly icon: ReactNode }[] = [
  { section: sections.dashboard, icon: <Dashboard size={15} /> },
  { section: sections.analytics, icon: <TimelineBarChart size={15} /> },
  { section: sections.creatives, icon: <Media size={15} /> },
  { section: sections.contractors, icon: <People size={15} /> },
  { section: sections.journal, icon: <History size={15} /> },
  { section: sections.settings, icon: <Cog size={15} /> },
];

const diskFull = 'Только чтение: на сервере заканчивается место на диске. Просмотр работает.';

const useOpenLinks = () => {
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

const SideLinks = ({ onGo }: { readonly onGo?: () => void }) => {
  const { person, permissions } = useSession();
  const counts = useCounts();
  const { pathname } = useLocation();
  const here = sectionAt(pathname);
  return (
    <>
      <Link to="/dashboard" className="z-side-title" {...(onGo && { onClick: onGo })}>
        <Logo size={20} />
        <span>{productName}</span>
      </Link>
      <nav aria-label="Разделы" className="z-side-nav">
        {useOpenLinks().map(({ section, icon }) => (
          <NavLink
            key={section.path}
            to={section.path}
            title={section.name}
            aria-current={here === section ? 'page' : undefined}
            {...(onGo && { onClick: onGo })}
          >
            {icon}
            <span>{section.name}</span>
            {counts[section.path] !== undefined && <small>{counts[section.path]}</small>}
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
            <small className="z-chip z-chip-accent">ADMIN</small>
          </NavLink>
        )}
        <NavLink to={sections.profile.path} title={sections.profile.name} {...(onGo && { onClick: onGo })}>
          <User size={15} />
          <span>{sections.profile.name}</span>
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

const UserMenu = () => {
  const { person, signOut } = useSession();
  const go = useGo();
  const leave = (): void => {
    const end = async (): Promise<void> => {
      if (await signOut()) go('/login', { replace: true });
    };
    end().catch(() => undefined);
  };
  return (
    <PopoverNext
      placement="bottom-end"
      arrow={false}
      onOpened={(menu) => menu.querySelector<HTMLElement>('[role="menuitem"]')?.focus()}
      content={
        <div className="z-user-menu">
          <div className="z-user-head">
            <b>{person.name}</b>
            <span>media buyer</span>
            <span className="z-quiet">{roleLabel(person.role)}</span>
          </div>
          <Menu>
            <MenuItem icon={<User size={14} />} text="Профиль" onClick={() => go(sections.profile.path)} />
            <MenuItem icon={<Key size={14} />} text="Лицензия" onClick={openLicence} />
            <MenuItem icon={<LogOut size={14} />} text="Выйти" onClick={leave} />
          </Menu>
        </div>
      }
      renderTarget={({ isOpen, ref, ...target }) => (
        <button
          {...target}
          ref={ref}
          type="button"
          className="z-user-button"
          aria-haspopup="menu"
          aria-expanded={isOpen}
        >
          <span className="z-visually-hidden">Меню: {person.name}</span>
          <Avatar name={person.name} id={person.id} size={20} />
          <CaretDown size={13} />
        </button>
      )}
    />
  );
};

const ThemeToggle = () => {
  const { theme, toggle } = useTheme();
  return (
    <Button
      look="plain"
      icon={theme === 'dark' ? <Flash size={15} /> : <Moon size={15} />}
      aria-label={theme === 'dark' ? 'Светлая тема' : 'Тёмная тема'}
      title={theme === 'dark' ? 'Светлая тема' : 'Тёмная тема'}
      onClick={toggle}
    />
  );
};

/** What the palette can do beside finding things. */
const usePaletteActions = () => {
  const go = useGo();
  const open = useOpenLinks();
  const { theme, toggle } = useTheme();
  return [
    ...open.map(({ section }) => ({ id: section.path, title: section.name, run: () => go(section.path) })),
    { id: 'profile', title: sections.profile.name, run: () => go(sections.profile.path) },
    { id: 'licence', title: 'Лицензия', run: openLicence },
    { id: 'theme', title: theme === 'dark' ? 'Светлая тема' : 'Тёмная тема', run: toggle },
  ];
};

/** The frame of everything signed in: sidebar (drawer below 1024), top bar, `main`, status line, tab bar on a phone. */
export const Shell = ({
  returnTo,
  onReturned,
}: {
  /** Path wanted before signing in; offered once. */
  readonly returnTo: string | null;
  readonly onReturned: () => void;
}) => {
  const { readOnly } = useSession();
  const { pathname, search } = useLocation();
  useEffect(() => rememberView(pathname, search), [pathname, search]);
  const [drawer, setDrawer] = useState(false);
  const open = useOpenLinks();
  const actions = usePaletteActions();
  const wanted = returnTo === null ? null : sectionAt(returnTo);
  return (
    <SlotProvider>
      <DataProvider>
        <PastHost>
          <PlacementsSlotProvider value={PlacementsSection}>
            <ContractorDialogHost>
              <a className="z-skip" href="#content">
                К содержимому
              </a>
              <div className="z-shell">
                <aside className="z-side">
                  <SideLinks />
                </aside>
                <TimeBar escape />
                <header className="z-top">
                  <Button
                    className="z-top-menu"
                    look="plain"
                    icon={<MenuIcon size={18} />}
                    aria-label="Меню"
                    aria-expanded={drawer}
                    onClick={() => setDrawer(true)}
                  />
                  <SlotOutlet name="phone-title" className="z-top-title" />
                  <PaletteHost actions={actions} />
                  <SlotOutlet name="topbar" className="z-top-slot" />
                  <LicenceHost />
                  <ThemeToggle />
                  <Bell />
                  <UserMenu />
                </header>
                <div className="z-banners">
                  {readOnly?.reason === 'disk' && (
                    <output className="z-banner">
                      <Lock size={14} />
                      {diskFull}
                    </output>
                  )}
                  <LicenceBanner />
                  {wanted !== null && returnTo !== null && (
                    <div className="z-banner z-banner-quiet">
                      <span>Вы входили отсюда:</span>
                      <Link className="z-link" to={returnTo} onClick={onReturned}>
                        Вернуться к «{wanted.name}»
                      </Link>
                      <button type="button" className="z-link" onClick={onReturned}>
                        Не нужно
                      </button>
                    </div>
                  )}
                  <SlotOutlet name="banner" />
                </div>
                <main id="content" className="z-main" tabIndex={-1}>
                  <Outlet />
                </main>
                <footer className="z-status">
                  <SlotOutlet name="status-left" className="z-status-left" />
                  <SlotOutlet name="status-right" className="z-status-right" />
                </footer>
                <nav className="z-tabs" aria-label="Разделы">
                  {open.slice(0, 3).map(({ section, icon }) => (
                    <NavLink
                      key={section.path}
                      to={section.path}
                      aria-current={sectionAt(pathname) === section ? 'page' : undefined}
                    >
                      {icon}
                      {section.name}
                    </NavLink>
                  ))}
                  <button type="button" aria-expanded={drawer} onClick={() => setDrawer(true)}>
                    <More size={15} />
                    Ещё
                  </button>
                </nav>
              </div>
              <Drawer
                isOpen={drawer}
                onClose={() => setDrawer(false)}
                position="left"
                size="min(280px, 86vw)"
                transitionDuration={160}
                className="z-drawer"
              >
                <div {...asModal('Меню')} className="z-drawer-body">
                  <Button
                    className="z-drawer-close"
                    look="plain"
                    icon={<Cross size={16} />}
                    aria-label="Закрыть"
                    onClick={() => setDrawer(false)}
                  />
                  <SideLinks onGo={() => setDrawer(false)} />
                </div>
              </Drawer>
            </ContractorDialogHost>
          </PlacementsSlotProvider>
        </PastHost>
      </DataProvider>
      <ToastHost />
    </SlotProvider>
  );
};
