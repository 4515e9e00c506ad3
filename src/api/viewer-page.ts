/**
 * One file that shows a run in a browser, with no server and no network: the viewer's script and style, and the run as
 * data. Its policy allows exactly that script and that style by their hashes, and no request. The data is JSON in a block
 * that no browser runs, written so that nothing in it can end the block.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtWeb } from './built-web.ts';
import type { RunFile } from './run-file.ts';

export function viewerPage(file: RunFile): string {
  const viewer = builtWeb('web-report');
  const script = readFileSync(join(viewer, 'viewer.js'), 'utf8').replaceAll('</script', String.raw`<\/script`);
  const style = readFileSync(join(viewer, 'viewer.css'), 'utf8').replaceAll('</style', '');
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const data = JSON.stringify(file).replaceAll('<', String.raw`\u003c`);
  const title = file.whole.page?.title ?? file.run;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escape(title)} - Forge</title>
<style>${style}</style>
</head>
<body>
<div id="app"></div>
<noscript>This report needs JavaScript, which is in this file.</noscript>
<script type="application/json" id="run">${data}</script>
<script>${script}</script>
</body>
</html>
`;
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
