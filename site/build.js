// Builds the pages about Peyk into dist/: the API reference (docs/) and the guide (guide/).
// Plain JavaScript, because npm install runs it on whatever Node there is.
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildInTurn, changedAt, lastChangeIn } from '../panel/built-folder.js'

const folder = dirname(fileURLToPath(import.meta.url))
const root = dirname(folder)
const dist = join(folder, 'dist')
const sources = [
  ...['build.js', 'package.json', 'look', 'reference', 'guide'].map((name) => join(folder, name)),
  ...['docs', 'README.md', 'CHANGELOG.md', 'SECURITY.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md'].map((name) =>
    join(root, name),
  ),
]

/** Builds when a source is newer than what was built. */
export async function buildSite() {
  await buildInTurn({ dist, isFresh, build })
}

export function isFresh() {
  return changedAt(join(dist, 'guide/index.html')) > Math.max(...sources.map(lastChangeIn))
}

async function build(target) {
  const [{ buildReference }, { buildGuide }] = await Promise.all([
    import('./reference/build-reference.js'),
    import('./guide/build-guide.js'),
  ])
  await buildReference(join(target, 'docs'))
  await buildGuide(join(target, 'guide'), { referenceUrl: '/docs/', panelUrl: '/panel/', isPacked: true })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildSite().catch((error) => {
    // Installed without what only developers need: the rest of the service works.
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
    process.stderr.write('The guide and the API reference were not built: what builds them is not installed.\n')
  })
}
