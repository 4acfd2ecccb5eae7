import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export interface ThirdParty {
  name: string
  version: string
  /** As SPDX writes it. */
  license: string
  author: string | undefined
  homepage: string | undefined
  /** Of the package's archive, as npm writes it. */
  integrity: string | undefined
  /** Of one with binaries: its package for each platform. */
  platforms: { name: string; integrity: string | undefined }[]
  /** What its own files say: licence, copyright, notice. */
  texts: string[]
}

interface LockedPackage {
  version?: string
  link?: boolean
  dev?: boolean
  os?: string[]
  integrity?: string
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
}

type Lock = Record<string, LockedPackage>

/** They build or test what browsers load, and nothing of them is in it. */
const tools = /^(vite|typescript|happy-dom|@testing-library\/.*|@vitejs\/.*|@types\/.*)$/

const licenceFile = /^(licen[cs]e|copying|copyright|notice)([.-].*)?$/i

/**
 * The packages of others in what is given to users: what the service needs to run, and what is built into the pages of
 * the panel and its kind. Those with binaries for several platforms count once, under the name without the platform.
 */
export function listThirdParty(root: string): ThirdParty[] {
  const lock = (JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Lock }).packages
  const paths = new Set([...listProduction(lock), ...listBundled(lock)])
  const found = [...paths]
    .filter((path) => existsSync(join(root, path, 'package.json')))
    .map((path) => describe(root, path, lock))
  const byName = new Map(found.map((each) => [`${each.name}@${each.version}`, each]))
  return [...byName.values()].sort((one, other) => compare(one.name, other.name) || compare(one.version, other.version))
}

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)

function listProduction(lock: Lock): string[] {
  return Object.entries(lock).flatMap(([path, { dev, link }]) =>
    path.includes('node_modules/') && !dev && !link ? [path] : [],
  )
}

/** What the workspaces build from, and what that needs. */
function listBundled(lock: Lock): string[] {
  const workspaces = Object.keys(lock).filter((path) => path !== '' && !path.includes('node_modules/'))
  const seen = new Set<string>()
  const follow = (from: string, names: readonly string[]): void => {
    for (const name of names) {
      const path = resolve(lock, from, name)
      const found = path === undefined ? undefined : lock[path]
      if (path === undefined || found === undefined || found.link || seen.has(path)) continue
      seen.add(path)
      follow(path, [...Object.keys(found.dependencies ?? {}), ...neededPeers(found)])
    }
  }
  for (const workspace of workspaces) {
    const names = Object.keys(lock[workspace]?.devDependencies ?? {})
    follow(
      workspace,
      names.filter((name) => !tools.test(name)),
    )
  }
  return [...seen]
}

function neededPeers({ peerDependencies = {}, peerDependenciesMeta = {} }: LockedPackage): string[] {
  return Object.keys(peerDependencies).filter((name) => !tools.test(name) && !peerDependenciesMeta[name]?.optional)
}

/** As Node looks for it: beside whoever asks, then in the folders above. */
function resolve(lock: Lock, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const at = folder === '.' ? '' : folder
    const path = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`
    if (lock[path]) return path
    if (at === '') return undefined
  }
}

function describe(root: string, path: string, lock: Lock): ThirdParty {
  const locked = lock[path] as LockedPackage
  const platforms = locked.os ? platformsOf(lock, dirname(path)) : []
  const folder = join(root, path)
  const { name, version, license, author, homepage, repository } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  )
  const texts = readdirSync(folder)
    .filter((file) => licenceFile.test(file))
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim())
  return {
    name: locked.os ? name.replace(/\/[^/]+$/, '') : name,
    version,
    license: typeof license === 'string' ? license : (license?.type ?? 'unknown'),
    author: typeof author === 'string' ? author : author?.name,
    homepage: homepage ?? (typeof repository === 'string' ? repository : repository?.url),
    integrity: locked.os ? undefined : locked.integrity,
    platforms,
    texts,
  }
}

function platformsOf(lock: Lock, scope: string): ThirdParty['platforms'] {
  return Object.entries(lock)
    .filter(([path, { os }]) => os && dirname(path) === scope)
    .map(([path, { integrity }]) => ({ name: path.slice(path.lastIndexOf('node_modules/') + 13), integrity }))
}
