import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { binaries } from './binaries.ts'
import { dateVersion } from './changelog.ts'
import { listThirdParty } from './inventory.ts'
import { noticesFile, writeNotices } from './notices.ts'
import { buildSbom } from './sbom.ts'
import { compareVersions, readVersions, writeVersion } from './versions.ts'

const usage = `Usage: npm run release -- <version> [--no-check] [--no-image] [--build-arg <name>=<value>]…

Makes a release of what is committed: writes the version and the date, commits, tags, and puts the tarballs, the bill of
materials, the notices, the image (where docker, podman or buildah is) and their checksums into release/out/<version>.
It pushes nothing.`

const root = join(import.meta.dirname, '..')
const clientFiles = ['peyk.js', 'peyk.mjs', 'peyk-sw.js']

class ReleaseError extends Error {}

const say = (text: string) => process.stdout.write(`${text}\n`)
const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()

function release(): void {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      'no-check': { type: 'boolean' },
      'no-image': { type: 'boolean' },
      'build-arg': { type: 'string', multiple: true },
      help: { type: 'boolean' },
    },
  })
  const [version] = positionals
  if (values.help) {
    say(usage)
    return
  }
  if (version === undefined || positionals.length > 1) throw new ReleaseError(usage)
  checkTree()
  checkVersion(version)
  const day = new Date()
  const { text, notes } = dateVersion(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version, dayOf(day))
  askForKnownFaults()
  if (!values['no-check']) run('the checks', 'npm', ['run', 'check'])

  writeVersion(root, version)
  writeFileSync(join(root, 'CHANGELOG.md'), text)
  writeNotices(root)
  git('add', '--all')
  git('commit', '--quiet', '--allow-empty', '--message', `release: ${version}`)
  git('tag', '--annotate', `v${version}`, '--message', `Peyk ${version}\n\n${notes}`)
  say(`Committed and tagged v${version}.`)

  const folder = join(root, 'release/out', version)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  packSource(version, folder)
  packClient(version, folder)
  const packages = listThirdParty(root)
  writeJson(join(folder, `peyk-${version}.cdx.json`), buildSbom({ version, at: day }, packages, binaries))
  cpSync(join(root, noticesFile), join(folder, noticesFile))
  writeFileSync(join(folder, 'NOTES.md'), `${notes}\n`)
  if (!values['no-image']) buildImage(version, folder, values['build-arg'] ?? [])
  writeChecksums(folder)
  say(`\nAll is in ${folder}:\n${readdirSync(folder).join('\n')}`)
  say(`\nNothing was pushed. To publish:\n  git push origin HEAD v${version}`)
  say(`To take it back:\n  git tag --delete v${version} && git reset --hard HEAD~1`)
}

function checkTree(): void {
  const changes = git('status', '--porcelain')
  if (changes !== '') throw new ReleaseError(`There are changes that are not committed:\n${changes}`)
}

function checkVersion(version: string): void {
  const versions = readVersions(root)
  const current = versions[0]?.version as string
  const others = versions.filter((each) => each.version !== current)
  if (others.length > 0)
    throw new ReleaseError(
      `These do not say ${current}: ${others.map(({ file, version: own }) => `${file} (${own})`).join(', ')}.`,
    )
  if (compareVersions(version, current) < 0) throw new ReleaseError(`${version} is older than ${current}.`)
  if (git('tag', '--list', `v${version}`) !== '') throw new ReleaseError(`There is a tag v${version} already.`)
}

/** Known faults of packages that reach users. Without an answer of the registry, somebody has to ask elsewhere. */
function askForKnownFaults(): void {
  const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], { cwd: root, encoding: 'utf8' })
  const answer = readJson(stdout) as { metadata?: { vulnerabilities?: Record<string, number> } } | undefined
  const found = answer?.metadata?.vulnerabilities
  if (!found) {
    say('npm audit was not answered: known faults of packages were not looked for.')
    return
  }
  const grave = (found.high ?? 0) + (found.critical ?? 0)
  if (grave > 0) throw new ReleaseError(`npm audit knows ${grave} grave faults of packages: npm audit --omit=dev`)
  say('npm audit knows no grave fault of a package.')
}

/** What is committed, for `npm install`. */
function packSource(version: string, folder: string): void {
  const name = `peyk-${version}`
  git('archive', '--format=tar.gz', `--prefix=${name}/`, `--output=${join(folder, `${name}.tar.gz`)}`, `v${version}`)
}

/** The client library as browsers load it. */
function packClient(version: string, folder: string): void {
  run('the client library', process.execPath, ['sdk/build.js'])
  const name = `peyk-client-${version}`
  const staging = mkdtempSync(join(tmpdir(), 'peyk-release-'))
  try {
    mkdirSync(join(staging, name))
    for (const file of clientFiles) cpSync(join(root, 'sdk/dist', file), join(staging, name, file))
    cpSync(join(root, 'LICENSE'), join(staging, name, 'LICENSE'))
    execFileSync('tar', ['-C', staging, '-czf', join(folder, `${name}.tar.gz`), name])
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}

function buildImage(version: string, folder: string, buildArgs: readonly string[]): void {
  const builder = ['docker', 'podman', 'buildah'].find((name) => spawnSync(name, ['--version']).status === 0)
  if (!builder) {
    say('There is no docker, podman or buildah: no image was built.')
    return
  }
  const image = `peyk:${version}`
  const format = builder === 'docker' ? [] : ['--format', 'docker']
  const given = buildArgs.flatMap((each) => ['--build-arg', each])
  run('the image', builder, ['build', ...format, ...given, '-t', image, root])
  const archive = join(folder, `peyk-${version}-image-${process.arch}.tar`)
  if (builder === 'buildah')
    run('the archive of the image', builder, ['push', image, `docker-archive:${archive}:${image}`])
  else run('the archive of the image', builder, ['save', '-o', archive, image])
}

function writeChecksums(folder: string): void {
  const lines = readdirSync(folder).map(
    (name) =>
      `${createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex')}  ${name}\n`,
  )
  writeFileSync(join(folder, 'SHA256SUMS'), lines.join(''))
}

function run(what: string, program: string, args: string[]): void {
  const { status } = spawnSync(program, args, { cwd: root, stdio: 'inherit' })
  if (status !== 0) throw new ReleaseError(`${what} failed: ${program} ${args.join(' ')}`)
}

const dayOf = (at: Date) => at.toISOString().slice(0, 10)

function writeJson(path: string, value: unknown): void {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`)
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

try {
  release()
} catch (error) {
  process.stderr.write(`release: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
