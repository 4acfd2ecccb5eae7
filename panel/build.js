// Builds the panel into dist/. Plain JavaScript, because npm install runs it on whatever Node there is.
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildInTurn, changedAt, lastChangeIn, packFiles } from './built-folder.js'

const folder = dirname(fileURLToPath(import.meta.url))
const dist = join(folder, 'dist')

/** Builds when a source is newer than what was built. */
export async function buildPanel() {
  await buildInTurn({ dist, isFresh, build })
}

async function build(outDir) {
  // Also when tests build it: React is another one, three times as large, in any other mode.
  process.env.NODE_ENV = 'production'
  const [vite, { default: react }] = await Promise.all([import('vite'), import('@vitejs/plugin-react')])
  await vite.build({
    configFile: false,
    root: folder,
    base: '/panel/',
    logLevel: 'warn',
    plugins: [react(), preloadFont()],
    build: {
      target: 'es2022',
      outDir,
      emptyOutDir: true,
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: 1000,
    },
  })
  await packFiles(join(outDir, 'assets'))
}

/** Latin letters are on every page: their font comes with the page, not after its styles. */
function preloadFont() {
  return {
    name: 'preload-font',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) =>
        Object.keys(bundle)
          .filter((name) => /inter-latin.*\.woff2$/.test(name))
          .map((name) => ({
            tag: 'link',
            attrs: { rel: 'preload', href: `/panel/${name}`, as: 'font', type: 'font/woff2', crossorigin: '' },
            injectTo: 'head',
          })),
    },
  }
}

export function isFresh() {
  const sources = ['src', 'index.html', 'package.json', 'build.js', 'built-folder.js'].map((name) => join(folder, name))
  return changedAt(join(dist, 'index.html')) > Math.max(...sources.map(lastChangeIn))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildPanel().catch((error) => {
    // Installed without what only developers need: the rest of the service works.
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
    process.stderr.write('The panel was not built: Vite is not installed.\n')
  })
}
