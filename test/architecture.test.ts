import { readdirSync, readFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findLiterals } from './helpers/runner/literals.ts'

/** The features in the order in which data travels: each may import from those before it. */
const featureOrder = [
  'accounts',
  'installations',
  'events',
  'segments',
  'campaigns',
  'promo',
  'messages',
  'deliveries',
  'receipts',
  'webhooks',
  'statistics',
  'privacy',
  'backups',
  'demo',
]
/** Rows that one feature leaves for another on purpose, instead of calling it. */
const leftRows: Record<string, string[]> = {
  audience_parts: ['messages'],
  delivery_batches: ['messages'],
  deliveries: ['messages'],
  delivery_counters: ['messages'],
  event_adoptions: ['installations'],
  sms_fallbacks: ['messages'],
}

/** Whose SQL keeps the real time. Everything else takes peyk_now(), which a demonstration may have put forward. */
const realTimeSql = [
  // The clock itself, what measures it, and when migrations were applied.
  'server/src/base/store/',
  // A claim of an idempotency key, and the sign of life of a process, are leases.
  'server/src/base/idempotency/run-once-outward.ts',
  'server/src/features/installations/connections/holders-store.ts',
  // Apple compares the time in a token with its own.
  'server/src/features/deliveries/providers/apns/apns-tokens-store.ts',
]
/** Who asks this machine for its time: to compare it with the database's, and until that was asked. */
const machineTime = ['server/src/entry/command/start/start-up.ts', 'server/src/entry/command/with-store.ts']

/** SQL's own clocks in a text, but for what is compared with a lease. */
function otherTimes(text: string): string[] {
  const clocks =
    /(?<![\w.])(?:now|(?:clock|statement|transaction)_timestamp)\(\)|(?<![\w.])(?:current_(?:timestamp|date|time)|localtime(?:stamp)?)\b/gi
  return [...text.matchAll(clocks)]
    .filter(({ index, 0: words }) => !isOfLease(text.slice(0, index), text.slice(index + words.length)))
    .map(([words]) => words)
}

/** In the same comparison as the sign of life of a process. */
function isOfLease(before: string, after: string): boolean {
  return (
    /alive_until(?:(?!\band\b|\bor\b)[^;]){0,60}$/i.test(before) ||
    /^(?:(?!\band\b|\bor\b)[^;]){0,60}alive_until/i.test(after)
  )
}

const root = join(import.meta.dirname, '..')
const files = ['contract/src', 'server/src', 'sdk/src'].flatMap((folder) => list(join(root, folder)))
const sources = files.filter((file) => !/\.test(-support)?\.ts$/.test(file.path))
const inServer = (part: string) => sources.filter((file) => file.path.startsWith(`server/src/${part}`))

interface SourceFile {
  path: string
  text: string
  imports: string[]
}

function list(folder: string, names = /\.ts$/): SourceFile[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && names.test(entry.name))
    .map((entry) => {
      const full = join(entry.parentPath, entry.name)
      const text = readFileSync(full, 'utf8')
      const imports = [...text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map((match) =>
        relative(root, join(entry.parentPath, match[1] as string)),
      )
      return { path: relative(root, full), text, imports }
    })
}

function featureOf(path: string): string | undefined {
  return /^server\/src\/features\/([^/]+)\//.exec(path)?.[1]
}

describe('the architecture', () => {
  it('has base, entry, features and main.ts in server/src, and nothing else', () => {
    expect(readdirSync(join(root, 'server/src')).sort()).toEqual(['base', 'entry', 'features', 'main.ts'])
  })

  it('imports from entry to features to base, never back', () => {
    const back = [
      ...inServer('base/').flatMap((file) =>
        file.imports.filter((path) => !path.startsWith('server/src/base/')).map((path) => `${file.path} → ${path}`),
      ),
      ...inServer('features/').flatMap((file) =>
        file.imports
          .filter((path) => path.startsWith('server/src/entry/') || path.endsWith('main.ts'))
          .map((path) => `${file.path} → ${path}`),
      ),
      ...sources
        .filter((file) => file.path.startsWith('contract/'))
        .flatMap((file) =>
          file.imports.filter((path) => !path.startsWith('contract/')).map((path) => `${file.path} → ${path}`),
        ),
    ]
    expect(back).toEqual([])
  })

  it('lets the client library import nothing but itself, and types from contract', () => {
    const library = list(join(root, 'sdk/src')).filter((file) => !file.path.endsWith('.test.ts'))
    const wrong = library.flatMap(({ path, text }) =>
      [...text.matchAll(/^(?:import|export)\s+(type\s)?[^'"]*?from\s+'([^']+)'/gm)]
        .filter(([, isType, from]) => {
          const isOwn =
            /^\.\.?\//.test(from as string) && relative(root, join(root, path, '..', from as string)).startsWith('sdk/')
          return !isOwn && !(isType && from === '@peyk/contract')
        })
        .map(([, , from]) => `${path} → ${from}`),
    )
    expect(library.length).toBeGreaterThan(20)
    expect(wrong).toEqual([])
    expect(JSON.parse(readFileSync(join(root, 'sdk/package.json'), 'utf8'))).not.toHaveProperty('dependencies')
  })

  it('lets the panel import nothing of ours but itself, and types from contract', () => {
    const panel = list(join(root, 'panel/src'), /\.tsx?$/).filter((file) => !/\.test\.tsx?$/.test(file.path))
    const wrong = panel.flatMap(({ path, text, imports }) => [
      ...imports.filter((to) => !to.startsWith('panel/src/')).map((to) => `${path} → ${to}`),
      ...[...text.matchAll(/^(?:import|export)\s+(?!type\s)[^'"]*?from\s+'(@peyk\/[^']+)'/gm)].map(
        ([, from]) => `${path} → ${from}`,
      ),
      ...(text.includes('dangerouslySetInnerHTML') ? [`${path} writes HTML`] : []),
    ])
    expect(panel.length).toBeGreaterThan(40)
    expect(wrong).toEqual([])
  })

  it('lets a feature import only features before it', () => {
    const wrong: string[] = []
    for (const file of inServer('features/')) {
      const own = featureOrder.indexOf(featureOf(file.path) as string)
      expect(own, `${file.path} belongs to a listed feature`).toBeGreaterThanOrEqual(0)
      for (const path of file.imports) {
        const other = featureOf(path)
        if (other !== undefined && featureOrder.indexOf(other) > own) wrong.push(`${file.path} → ${path}`)
      }
    }
    expect(wrong).toEqual([])
  })

  it('writes a table from one folder', () => {
    const writers = new Map<string, Set<string>>()
    for (const file of inServer('features/')) {
      for (const [, table] of file.text.matchAll(
        /\b(?:insert into|update|delete from|copy)\s+([a-z_]+)(?:\s+(?:as\s+)?[a-z]+)?\s*(?:\(|set\b|where\b|using\b|select\b)/gi,
      )) {
        const feature = featureOf(file.path) as string
        if (leftRows[table as string]?.includes(feature)) continue
        if (!writers.has(table as string)) writers.set(table as string, new Set())
        writers.get(table as string)?.add(feature)
      }
    }
    const shared = [...writers]
      .filter(([, features]) => features.size > 1)
      .map(([table, features]) => `${table}: ${[...features].join(', ')}`)
    expect(writers.size).toBeGreaterThan(15)
    expect(shared).toEqual([])
  })

  it('keeps SQL out of entry', () => {
    expect(
      inServer('entry/')
        .filter((file) => file.text.includes('sql-template-tag'))
        .map((file) => file.path),
    ).toEqual([])
  })

  it('names a verb that an entry calls like its file, the only thing that file exports', () => {
    const pages = sources.filter((file) => /entry\/(http\/(api|client|panel)|worker\/jobs)\.ts$/.test(file.path))
    const called = new Set(pages.flatMap((file) => file.imports.filter((path) => featureOf(path) !== undefined)))
    expect(called.size).toBeGreaterThan(40)
    const wrong = sources.flatMap((file) => {
      if (!called.has(file.path)) return []
      const expected = basename(file.path, '.ts').replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
      const exported = [
        ...file.text.matchAll(/^export (?!type|interface)(?:async )?(?:const|function|class) (\w+)/gm),
      ].map((match) => match[1])
      return exported.length === 1 && exported[0] === expected ? [] : [`${file.path} exports ${exported.join(', ')}`]
    })
    expect(wrong).toEqual([])
  })

  it('reads the environment in base/config.ts only', () => {
    const environment = sources.filter(
      (file) => file.text.includes('process.env') && !file.path.endsWith('base/config.ts'),
    )
    expect(environment.map((file) => file.path)).toEqual([])
  })

  it('takes the time of the product from one place', () => {
    const found = inServer('').flatMap(({ path, text }) => [
      ...(realTimeSql.some((place) => path.startsWith(place))
        ? []
        : findLiterals(text).flatMap(({ start, end }) => otherTimes(text.slice(start, end)))
      ).map((words) => `${path}: ${words}`),
      ...(machineTime.includes(path) ? [] : (text.match(/\bDate\.now\(\)|\bnew Date\(\)/g) ?? [])).map(
        (words) => `${path}: ${words}`,
      ),
    ])
    expect(found).toEqual([])
    const folder = 'server/src/base/store/migrations'
    const later = list(join(root, folder), /\.sql$/).filter(({ path }) => basename(path) > '010-time.sql')
    expect(later.flatMap(({ path, text }) => otherTimes(text).map((words) => `${path}: ${words}`))).toEqual([])
  })

  it('names files in kebab-case and for what they do', () => {
    const wrong = files
      .map((file) => file.path)
      .filter((path) => {
        const name = basename(path).replace(/((\.long)?\.test(-support)?)?\.ts$/, '')
        return (
          !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name) ||
          /^(utils?|helpers?|common|misc|index)$|-(manager|service|handler|utils?|helpers?)$/.test(name)
        )
      })
    expect(wrong).toEqual(['contract/src/index.ts'])
  })

  it('has no default exports, no enums and no switched-off tests', () => {
    const wrong = files.filter((file) =>
      /^export default|^(?:export )?(?:const )?enum |\b(?:it|test|describe)\.(?:only|skip|todo)\b/m.test(file.text),
    )
    expect(wrong.map((file) => file.path)).toEqual([])
  })
})
