import { LiveRegion } from '../shared/toasts/live-region.tsx';
import { Flash, Lock, Menu as MenuIcon, Moon } from '@blueprintjs/icons';
import { type ComponentType, useEffect, useRef, useState } from 'react';
import { Link, Outlet, useLocation } from 'react-router-dom';
import { ContractorDialogHost } from '../features/contractors/contractor-dialog-host.tsx';
import { LicenceBanner } from '../features/licence/licence-banner.tsx';
import { LicenceHost } from '../features/licence/licence-host.tsx';
import { Bell } from '../features/notifications/bell.tsx';
import { PaletteHost } from '../features/palette/palette-host.tsx';
import { type PlacementsSectionProps, PlacementsSlotProvider } from '../shared/dialogs/placements-slot.tsx';
import { DataProvider } from '../shared/live/data-provider.tsx';
import { NowBelow } from '../shared/time-travel/now-below.tsx';
import { NowWord, OnlyNow } from '../shared/moment/now-word.tsx';
import { PastHost } from '../shared/time-travel/past-host.tsx';
import { TimeBar } from '../shared/time-travel/time-bar.tsx';
import { useSession } from '../shared/session/session-context.tsx';
import '../shared/theme/blueprint.css';
import { ImportReportHost } from '../shared/import/import-report-host.tsx';
import { useTheme } from '../shared/theme/theme.ts';
import { ToastHost } from '../shared/toasts/toast-host.tsx';
import { UndoHost } from '../shared/undo/undo-host.tsx';
import { ModalDrawer } from '../shared/ui/modal-drawer.tsx';
import { Button } from '../shared/ui/button.tsx';
import { useNarrow } from '../shared/ui/use-media.ts';
import { ErrorBoundary, FailedButton } from '../shared/ui/error-boundary.tsx';
import { lazyPart } from '../shared/ui/lazy-part.tsx';
import { Skeleton } from '../shared/ui/states.tsx';
import { SlotOutlet, SlotProvider } from '../shared/ui/slots.tsx';
import { KeptLists } from './kept-lists.tsx';
import { PhoneTabs } from './phone-tabs.tsx';
import { usePaletteActions } from './palette-actions.ts';
import { rememberView } from './remembered-view.ts';
import { sectionAt } from './sections.ts';
import { SideLinks } from './side-links.tsx';
import { UserMenu } from './user-menu.tsx';
import { SteadyContent } from './steady-content.ts';
import './shell.css';

const PlacementsSection = lazyPart(
  async (): Promise<ComponentType<PlacementsSectionProps>> =>
    (await import('../features/placements/placements-section.tsx')).PlacementsSection,
  { waiting: <Skeleton rows={8} /> },
);

const failedButton = (retry: () => void) => <FailedButton onRetry={retry} />;

const diskFull = 'Только чтение: на сервере заканчивается место на диске. Просмотр работает.';

/** On a phone the menu of the person has it, so that the campaign's name has room. */
const ThemeToggle = () => {
  const { theme, toggle } = useTheme();
  if (useNarrow()) return null;
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

const AppPalette = () => <PaletteHost actions={usePaletteActions()} />;

const TopBar = ({ isMenuOpen, onMenu }: { readonly isMenuOpen: boolean; readonly onMenu: () => void }) => (
  <header className="z-top">
    <Button
      className="z-top-menu"
      look="plain"
      icon={<MenuIcon size={18} />}
      aria-label="Меню"
      aria-expanded={isMenuOpen}
      onClick={onMenu}
    />
    <SlotOutlet name="phone-title" className="z-top-title" />
    <ErrorBoundary renderFailed={failedButton}>
      <AppPalette />
    </ErrorBoundary>
    <SlotOutlet name="topbar" className="z-top-slot" />
    <ErrorBoundary renderFailed={failedButton}>
      <LicenceHost />
    </ErrorBoundary>
    <ThemeToggle />
    <ErrorBoundary renderFailed={failedButton}>
      <NowBelow>
        <Bell />
      </NowBelow>
    </ErrorBoundary>
    <UserMenu />
  </header>
);

/** Back to where the person was when they had to sign in. */
const ReturnBanner = ({ path, onReturned }: { readonly path: string; readonly onReturned: () => void }) => {
  const wanted = sectionAt(path.split('?', 1)[0] ?? '');
  return (
    wanted !== null && (
      <div className="z-banner z-banner-quiet">
        <span>Вы входили отсюда:</span>
        <Link className="z-link" to={path} onClick={onReturned}>
          Вернуться к «{wanted.name}»
        </Link>
        <button type="button" className="z-link" onClick={onReturned}>
          Не нужно
        </button>
      </div>
    )
  );
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
  const bars = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLElement>(null);
  return (
    <SlotProvider>
      <DataProvider>
        <KeptLists />
        <UndoHost />
        <ImportReportHost />
        <PastHost>
          <PlacementsSlotProvider value={PlacementsSection}>
            <ContractorDialogHost>
              <a className="z-skip" href="#content">
                К содержимому
              </a>
              <SlotOutlet name="skip" />
              <div className="z-shell">
                <aside className="z-side">
                  <SideLinks />
                </aside>
                <TimeBar escape />
                <TopBar isMenuOpen={drawer} onMenu={() => setDrawer(true)} />
                <div ref={bars} className="z-banners">
                  <OnlyNow>
                    {readOnly?.reason === 'disk' && (
                      <div className="z-banner">
                        <Lock size={14} />
                        <LiveRegion>{diskFull}</LiveRegion>
                      </div>
                    )}
                    <LicenceBanner />
                  </OnlyNow>
                  {returnTo !== null && <ReturnBanner path={returnTo} onReturned={onReturned} />}
                  <SlotOutlet name="banner" />
                </div>
                <main ref={content} id="content" className="z-main" tabIndex={-1}>
                  <Outlet />
                  <div className="z-under-bars" aria-hidden="true" />
                </main>
                <SlotOutlet name="notes" className="z-notes" />
                <SteadyContent bars={bars} content={content} />
                <footer className="z-status">
                  <SlotOutlet name="status-left" className="z-status-left" />
                  <NowWord />
                  <SlotOutlet name="status-right" className="z-status-right" />
                </footer>
                <PhoneTabs isOpen={drawer} onMore={() => setDrawer(true)} />
              </div>
              <ModalDrawer
                name="Меню"
                isOpen={drawer}
                onClose={() => setDrawer(false)}
                position="left"
                size="min(280px, 86vw)"
                className="z-drawer"
                bodyClassName="z-drawer-body"
                closeClassName="z-drawer-close"
              >
                <SideLinks onGo={() => setDrawer(false)} />
              </ModalDrawer>
            </ContractorDialogHost>
          </PlacementsSlotProvider>
        </PastHost>
      </DataProvider>
      <ToastHost />
    </SlotProvider>
  );
};
