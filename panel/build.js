// Builds the panel into dist/. Plain JavaScript, because npm install runs it on whatever Node there is.
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = dirname(fileURLToPath(import.meta.url))
const dist = join(folder, 'dist')

/** Builds when a source is newer than what was built. */
export async function buildPanel() {
  if (isFresh()) return
  const [{ build }, { default: react }] = await Promise.all([import('vite'), import('@vitejs/plugin-react')])
  const fresh = `${dist}.${process.pid}`
  await build({
    configFile: false,
    root: folder,
    base: '/panel/',
    logLevel: 'warn',
    plugins: [react()],
    build: {
      target: 'es2022',
      outDir: fresh,
      emptyOutDir: true,
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: 1000,
    },
  })
  // A service that runs meanwhile finds the old files or the new ones.
  const old = `${dist}.old.${process.pid}`
  if (existsSync(dist)) renameSync(dist, old)
  renameSync(fresh, dist)
  rmSync(old, { recursive: true, force: true })
}

function isFresh() {
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
