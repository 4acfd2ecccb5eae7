import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { limits } from '@peyk/server/base/config.ts'
import { errorCatalogue } from '@peyk/server/base/errors.ts'
import { expect, it } from 'vitest'
import { webhookBodies } from '../contract/src/webhooks.ts'

const root = join(import.meta.dirname, '..')
const { slugOf } = await import(join(root, 'site/guide/slugs.js'))

it('has the pages, sections and decisions that code cites', () => {
  const pages = globSync('docs/**/*.md', { cwd: root })
  const fileOf = (name: string) =>
    pages.filter((page) => basename(page) === name || basename(page).startsWith(`${name.replace('ADR-', '')}-`))
  const cited = /\[((?:[a-z-]+\.md(?:#[\w-]+)?|ADR-\d{4})(?:, (?:[a-z-]+\.md(?:#[\w-]+)?|ADR-\d{4}))*)\]/g
  const sources = globSync('{contract,sdk,panel,server,simulator,test,site,bench}/{src/,}**/*.{ts,tsx,js,sql}', {
    cwd: root,
    exclude: (path) => /(^|\/)(node_modules|dist)$/.test(path),
  })
  let found = 0
  const missing = sources.flatMap((source) =>
    [
      ...readFileSync(join(root, source), 'utf8')
        .replaceAll(/\n\s*\* /g, ' ')
        .matchAll(cited),
    ].flatMap(([, list]) =>
      (list as string).split(', ').flatMap((citation) => {
        found++
        const [name, anchor] = citation.split('#') as [string, string?]
        const [file, ...others] = fileOf(name)
        const isThere =
          file && others.length === 0 && (!anchor || anchorsOf(readFileSync(join(root, file), 'utf8')).includes(anchor))
        return isThere ? [] : [`${source}: ${citation}`]
      }),
    ),
  )
  expect(missing).toEqual([])
  expect(found).toBeGreaterThan(200)
})

function anchorsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => slugOf(heading))
}

it('documents exactly the errors there are', () => {
  const text = readFileSync(join(root, 'docs/reference/errors.md'), 'utf8')
  const documented = [...text.matchAll(/^\| `([a-z-]+)` \| (\d+) \| (\w+) \| (.+) \|$/gm)].map(
    ([, code, status, name, meaning]) => [code, { status: Number(status), name, meaning }],
  )
  expect(Object.fromEntries(documented)).toEqual(errorCatalogue)
})

it('documents exactly the environment variables that are read', () => {
  const read = new Set(readFileSync(join(root, 'server/src/base/config.ts'), 'utf8').match(/PEYK_[A-Z_]+/g))
  const documented = new Set(
    readFileSync(join(root, 'docs/self-host/operations.md'), 'utf8').match(/(?<=^\| `)PEYK_[A-Z_]+/gm),
  )
  expect([...documented].sort()).toEqual([...read].sort())
})

it('documents exactly the variables of OpenTelemetry that are read', () => {
  const source = readFileSync(join(root, 'server/src/base/trace/trace-settings.ts'), 'utf8')
  const rows = readFileSync(join(root, 'docs/self-host/running.md'), 'utf8').match(/^\| `OTEL_.*?\|/gm) ?? []
  const documented = new Set(rows.join().match(/OTEL_[A-Z_]+/g))
  expect([...documented].sort()).toEqual([...new Set(source.match(/OTEL_[A-Z_]+/g))].sort())
})

it('documents exactly what webhooks are told', () => {
  const text = readFileSync(join(root, 'docs/guides/webhooks.md'), 'utf8')
  const documented = [...text.matchAll(/^\| `([a-z]+\.[a-z]+)` \|/gm)].map(([, type]) => type)
  expect(documented).toEqual(Object.keys(webhookBodies))
})

it('documents the limits on what is stored as they are', () => {
  const text = readFileSync(join(root, 'docs/about/security.md'), 'utf8')
  const documented = [...text.matchAll(/^\| `(\w+)` \| (\d+) \|/gm)].map(([, name, limit]) => [name, Number(limit)])
  expect(documented.length).toBeGreaterThan(10)
  expect(limits).toMatchObject(Object.fromEntries(documented))
})
