/** The viewer of one run in one file: the same views, from data in the page, with no server and no request. */
import './tokens.css';
import './app.css';
import './views.css';
import { createRoot } from 'react-dom/client';
import { App } from './shell/app.tsx';
import { FileSource, type RunFile } from './source/file-source.ts';
import { SourceContext } from './source/source.ts';

const place = document.querySelector('#app');
const data = document.querySelector('#run')?.textContent;
if (place !== null && data !== null && data !== undefined) {
  const file = JSON.parse(data) as RunFile;
  createRoot(place).render(
    <SourceContext value={new FileSource(file)}>
      <App onlyRun={file.run} />
    </SourceContext>,
  );
}
