// Builds the panel into dist/. Plain JavaScript, because npm install runs it on whatever Node there is.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'

const folder = dirname(fileURLToPath(import.meta.url))
const dist = join(folder, 'dist')
const turn = join(folder, 'dist.turn')
const longestBuildMs = 120_000

/** Builds when a source is newer than what was built. One process at a time: the others wait, and find it done. */
export async function buildPanel() {
  while (!isFresh()) {
    if (takeTurn()) return build().finally(() => rmSync(turn, { recursive: true, force: true }))
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

/** False while another process builds; one that died on the way is not waited for. */
function takeTurn() {
  if (Date.now() - changedAt(turn) > longestBuildMs) rmSync(turn, { recursive: true, force: true })
  try {
    mkdirSync(turn)
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

async function build() {
  // Also when tests build it: React is another one, three times as large, in any other mode.
  process.env.NODE_ENV = 'production'
  const [vite, { default: react }] = await Promise.all([import('vite'), import('@vitejs/plugin-react')])
  const fresh = `${dist}.${process.pid}`
  await vite.build({
    configFile: false,
    root: folder,
    base: '/panel/',
    logLevel: 'warn',
    plugins: [react(), preloadFont()],
    build: {
      target: 'es2022',
      outDir: fresh,
      emptyOutDir: true,
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: 1000,
    },
  })
  await packAssets(join(fresh, 'assets'))
  // A service that runs meanwhile finds the old files or the new ones.
  const old = `${dist}.old.${process.pid}`
  if (existsSync(dist)) renameSync(dist, old)
  renameSync(fresh, dist)
  rmSync(old, { recursive: true, force: true })
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

/** Each file also as small as it gets, for browsers that take it so: that takes too long while one waits. */
async function packAssets(assets) {
  const packAsset = async (name) => {
    const path = join(assets, name)
    const plain = await readFile(path)
    await writeFile(`${path}.br`, await promisify(brotliCompress)(plain))
    await writeFile(`${path}.gz`, await promisify(gzip)(plain, { level: 9 }))
  }
  await Promise.all(readdirSync(assets).map(packAsset))
}

export function isFresh() {
  const sources = readdirSync(join(folder, 'src'), { recursive: true }).map((name) => join(folder, 'src', name))
  const others = ['src', 'index.html', 'package.json', 'build.js'].map((name) => join(folder, name))
  return changedAt(join(dist, 'index.html')) > Math.max(...[...sources, ...others].map(changedAt))
}

function changedAt(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildPanel().catch((error) => {
    // Installed without what only developers need: the rest of the service works.
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
    process.stderr.write('The panel was not built: Vite is not installed.\n')
  })
}
