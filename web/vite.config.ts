/**
 * Two builds of one app: the dashboard, with parts that load when they are needed, and the viewer of a report, which is
 * one script and one style sheet that `forge report --html` puts into a file.
 */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const root = fileURLToPath(new URL('.', import.meta.url));
const out = fileURLToPath(new URL('../dist/', import.meta.url));

export default defineConfig(({ mode }) => ({
  root,
  // The script of a report is no module: what would load its parts one by one is left out, and that is all there is to warn of.
  logLevel: mode === 'report' ? 'error' : 'warn',
  build: {
    target: 'es2023',
    emptyOutDir: true,
    reportCompressedSize: false,
    modulePreload: mode === 'report' ? false : { polyfill: false },
    // Never as data in a page: the policy of the dashboard allows no inline style or script.
    assetsInlineLimit: 0,
    ...(mode === 'report'
      ? {
          outDir: `${out}web-report`,
          copyPublicDir: false,
          cssCodeSplit: false,
          rolldownOptions: {
            input: `${root}src/report.tsx`,
            output: { format: 'iife' as const, entryFileNames: 'viewer.js', assetFileNames: 'viewer[extname]' },
          },
        }
      : { outDir: `${out}web` }),
  },
}));
