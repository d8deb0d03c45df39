import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { askForFirstCode } from './app/first-code.ts';
import './shared/theme/tokens.css';
import './shared/theme/base.css';
import './shared/ui/ui.css';
import { keepZodFromMakingCode } from './shared/api/zod-settings.ts';
import { sayAnnounced } from './shared/toasts/live-region.ts';
import { followTheme } from './shared/theme/theme.ts';
import { keepFocus } from './shared/ui/focus-place.ts';
import { tellCutTexts } from './shared/ui/cut-texts.ts';

askForFirstCode(localStorage, window.location.pathname);
keepZodFromMakingCode();
followTheme();
tellCutTexts(document);
keepFocus(document);
sayAnnounced(document);
const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
