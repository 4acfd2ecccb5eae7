import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Where the version stands besides package.json files, and how. */
const places: readonly { file: string; form: RegExp }[] = [
  { file: 'deploy/helm/peyk/Chart.yaml', form: /^((?:appVersion|version): )(\S+)$/gm },
  { file: 'server/src/entry/http/pages/reference.ts', form: /(version: ')([^']+)(?=')/g },
]
/** In a package.json: its own, and those of workspaces that need each other. In the lock file only workspaces are meant. */
const inPackage = /("version": "|"@peyk\/[a-z]+": ")([^"]+)(?=")/g

function manifestsOf(root: string): string[] {
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { workspaces: string[] }
  return ['package.json', 'bench/package.json', ...workspaces.map((name) => `${name}/package.json`)]
}

/** Every place with the version that stands there. */
export function readVersions(root: string): { file: string; version: string }[] {
  const all = [...manifestsOf(root).map((file) => ({ file, form: inPackage })), ...places]
  return all.flatMap(({ file, form }) => {
    const found = [...readFileSync(join(root, file), 'utf8').matchAll(form)].map(([, , version]) => version as string)
    if (found.length === 0) throw new Error(`${file} has no version where one is expected.`)
    return found.map((version) => ({ file, version }))
  })
}

export function writeVersion(root: string, version: string): void {
  const all = [...manifestsOf(root).map((file) => ({ file, form: inPackage })), ...places]
  for (const { file, form } of all) {
    const path = join(root, file)
    writeFileSync(path, readFileSync(path, 'utf8').replace(form, `$1${version}`))
  }
  writeLockVersion(root, version)
}

function writeLockVersion(root: string, version: string): void {
  const path = join(root, 'package-lock.json')
  const lock = JSON.parse(readFileSync(path, 'utf8'))
  lock.version = version
  for (const [folder, entry] of Object.entries<Record<string, unknown>>(lock.packages)) {
    if (folder.includes('node_modules/')) continue
    entry.version = version
    for (const kind of ['dependencies', 'devDependencies']) {
      const names = (entry[kind] ?? {}) as Record<string, string>
      for (const name of Object.keys(names)) if (name.startsWith('@peyk/')) names[name] = version
    }
  }
  writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`)
}

const form = /^(\d+)\.(\d+)\.(\d+)$/

/** 1 when the first is newer. Versions are three numbers. */
export function compareVersions(one: string, other: string): number {
  const [numbers, others] = [one, other].map((text) => form.exec(text)?.slice(1).map(Number))
  if (!numbers || !others) throw new Error(`Expected versions such as 1.2.3, got "${one}" and "${other}".`)
  for (const [place, number] of numbers.entries()) {
    const difference = number - (others[place] as number)
    if (difference !== 0) return Math.sign(difference)
  }
  return 0
}
