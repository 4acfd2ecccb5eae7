// How a folder of files for browsers is built; the panel and the site use it. Plain JavaScript, because npm install runs
// it on whatever Node there is.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const longestBuildMs = 120_000
/** For large files: the best takes half a minute for the megabytes of the API reference, and saves an eighth. */
export const quickQuality = 6

/**
 * Builds unless it is fresh. One process at a time: the others wait, and find it done. `build` is given a new folder,
 * which takes the place of `dist` when it is whole: a service that runs meanwhile finds the old files or the new ones.
 */
export async function buildInTurn({ dist, isFresh, build }) {
  const turn = `${dist}.turn`
  while (!isFresh()) {
    if (takeTurn(turn)) return replace(dist, build).finally(() => rmSync(turn, { recursive: true, force: true }))
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

/** False while another process builds; one that died on the way is not waited for. */
function takeTurn(turn) {
  if (Date.now() - changedAt(turn) > longestBuildMs) rmSync(turn, { recursive: true, force: true })
  try {
    mkdirSync(turn)
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

async function replace(dist, build) {
  const fresh = `${dist}.${process.pid}`
  await build(fresh)
  const old = `${dist}.old.${process.pid}`
  if (existsSync(dist)) renameSync(dist, old)
  renameSync(fresh, dist)
  rmSync(old, { recursive: true, force: true })
}

const packedAlready = /\.(png|webp|woff2|br|gz)$/

/** Each file also packed, for browsers that take it so: that takes too long while one waits. */
export async function packFiles(folder, { quality = constants.BROTLI_MAX_QUALITY } = {}) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality }
  const packFile = async (path) => {
    const plain = await readFile(path)
    await writeFile(`${path}.br`, await promisify(brotliCompress)(plain, { params }))
    await writeFile(`${path}.gz`, await promisify(gzip)(plain, { level: 9 }))
  }
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const toPack = files.filter(({ name }) => !packedAlready.test(name))
  await Promise.all(toPack.map(({ parentPath, name }) => packFile(join(parentPath, name))))
}

/** The newest change of a file, or of anything in a folder. */
export function lastChangeIn(path) {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return changedAt(path)
  const inside = readdirSync(path, { recursive: true }).map((name) => join(path, name))
  return Math.max(...[path, ...inside].map(changedAt))
}

export function changedAt(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}
