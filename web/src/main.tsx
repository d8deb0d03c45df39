import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import './shared/theme/tokens.css';
import './shared/theme/base.css';
import './shared/ui/ui.css';
import { followTheme } from './shared/theme/theme.ts';

followTheme();
const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
