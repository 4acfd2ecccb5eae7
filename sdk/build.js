// Builds what browsers load, into dist/: the library as a script and as a module, and the service worker.
// Plain JavaScript, because npm install runs it on whatever Node there is.
import { mkdirSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = dirname(fileURLToPath(import.meta.url))
const outputs = [
  { entry: 'src/script.ts', file: 'peyk.js', format: 'iife' },
  { entry: 'src/peyk.ts', file: 'peyk.mjs', format: 'es' },
  { entry: 'src/service-worker.ts', file: 'peyk-sw.js', format: 'iife' },
]

/** Builds when a source is newer than what was built. */
export async function buildSdk() {
  if (isFresh()) return
  const { build } = await import('vite')
  mkdirSync(join(folder, 'dist'), { recursive: true })
  for (const { entry, file, format } of outputs) {
    const [{ output }] = await build({
      configFile: false,
      root: folder,
      logLevel: 'warn',
      build: {
        target: 'es2022',
        write: false,
        lib: { entry: join(folder, entry), formats: [format], name: 'peykBuild', fileName: () => file },
      },
    })
    // In one step: a service that runs meanwhile reads the old file or the new one, whole.
    const path = join(folder, 'dist', file)
    writeFileSync(`${path}.${process.pid}`, output[0].code)
    renameSync(`${path}.${process.pid}`, path)
  }
}

function isFresh() {
  const built = outputs.map(({ file }) => changedAt(join(folder, 'dist', file)))
  const sources = readdirSync(join(folder, 'src'), { recursive: true }).map((name) => join(folder, 'src', name))
  const changed = [join(folder, 'src'), ...sources, join(folder, 'package.json'), join(folder, 'build.js')].map(
    changedAt,
  )
  return Math.min(...built) > Math.max(...changed)
}

function changedAt(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildSdk().catch((error) => {
    // Installed without what only developers need: the rest of the service works.
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
    process.stderr.write('The client library was not built: Vite is not installed.\n')
  })
}
