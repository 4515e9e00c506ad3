/** The dashboard in a browser. */
import './tokens.css';
import './app.css';
import './views.css';
import { createRoot } from 'react-dom/client';
import { App } from './shell/app.tsx';
import { LiveSource } from './source/live-source.ts';
import { SourceContext } from './source/source.ts';

const place = document.querySelector('#app');
if (place !== null) {
  createRoot(place).render(
    <SourceContext value={new LiveSource()}>
      <App />
    </SourceContext>,
  );
}
