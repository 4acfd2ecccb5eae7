import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findLiterals } from './helpers/runner/literals.ts'
import { resolveImport } from './helpers/runner/resolve-import.ts'

/** The features in the order in which data travels: each may import from those before it. */
const featureOrder = [
  'accounts',
  'outbox',
  'installations',
  'categories',
  'events',
  'segments',
  'campaigns',
  'promo',
  'images',
  'messages',
  'deliveries',
  'receipts',
  'webhooks',
  'explain',
  'composer',
  'statistics',
  'transfer',
  'privacy',
  'backups',
  'demo',
]
const root = join(import.meta.dirname, '..')

/** What ARCHITECTURE.md allows besides its rules: `rule: what`, one a line. */
const exceptions = (rule: string): string[] => {
  const [, block = ''] = /```exceptions\n([^`]*)```/.exec(readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')) ?? []
  return block
    .split('\n')
    .map((line) => line.replace(/\s+#.*/, '').split(': '))
    .flatMap(([of, what]) => (of === rule && what !== undefined ? [what] : []))
}
const otherWriters = new Set(exceptions('writes'))
const realTimeSql = exceptions('real time in SQL')
const machineTime = exceptions('time of the machine')
const mostFiles = 22

/** SQL's own clocks in a text, but for what is compared with a lease. In quotes it is the name of something else. */
function otherTimes(text: string): string[] {
  const clocks =
    /(?<![\w.])(?:now|(?:clock|statement|transaction)_timestamp)\(\)|(?<![\w.'])(?:current_(?:timestamp|date|time)|localtime(?:stamp)?)\b/gi
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

const files = ['contract/src', 'server/src', 'sdk/src'].flatMap((folder) => list(join(root, folder)))
const sources = files.filter((file) => !/\.test(-support)?\.ts$/.test(file.path))
const allSources = [
  ...sources,
  ...['panel/src', 'simulator/src', 'bench', 'test'].flatMap((folder) => list(join(root, folder), /\.tsx?$/)),
].filter(({ path }) => !/\.test(-support)?\.tsx?$|node_modules/.test(path))
const inServer = (part: string) => sources.filter((file) => file.path.startsWith(`server/src/${part}`))

interface SourceFile {
  path: string
  text: string
  /** As they are written, and the files of ours among them. */
  names: string[]
  imports: string[]
}

function list(folder: string, names = /\.ts$/): SourceFile[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && names.test(entry.name))
    .map((entry) => {
      const full = join(entry.parentPath, entry.name)
      const text = readFileSync(full, 'utf8')
      const path = relative(root, full)
      const names = [...text.matchAll(/(?:from|import\()\s*'([^']+)'/g)].map(([, name]) => name as string)
      return {
        path,
        text,
        names,
        imports: names.map((name) => resolveImport(path, name)).filter((to) => to !== undefined),
      }
    })
}

function writtenTables(text: string): string[] {
  const writing =
    /\b(?:insert into|update|delete from|copy)\s+([a-z_]+)(?:\s+(?:as\s+)?[a-z]+)?\s*(?:\(|set\b|where\b|using\b|select\b)/gi
  return [...text.matchAll(writing)].map(([, table]) => table as string)
}

function isInOwnWorkspace(path: string, name: string): boolean {
  return resolveImport(path, name)?.startsWith(path.slice(0, path.indexOf('/') + 1)) === true
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
          .filter((path) => /^(server\/src\/entry|test)\//.test(path) || path.endsWith('main.ts'))
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

  it('imports by name what is outside the workspace, or far away in it', () => {
    const everything = ['contract', 'server', 'simulator', 'sdk', 'panel'].flatMap((folder) =>
      list(join(root, folder, 'src'), /\.tsx?$/),
    )
    const wrong = everything.flatMap(({ path, names }) =>
      names
        .filter((name) => name.startsWith('../../../') || (name.startsWith('.') && !isInOwnWorkspace(path, name)))
        .map((name) => `${path} → ${name}`),
    )
    expect(wrong).toEqual([])
  })

  it('has folders that can be read at a glance', () => {
    const counts = new Map<string, number>()
    for (const { path } of allSources) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1)
    const crowded = [...counts].filter(([, count]) => count > mostFiles).map(([folder, count]) => `${folder}: ${count}`)
    expect(counts.size).toBeGreaterThan(100)
    expect(crowded).toEqual([])
  })

  it('has no circle of imports, not even of types', () => {
    const imports = new Map(allSources.map((file) => [file.path, file.imports]))
    const done = new Set<string>()
    const circles: string[] = []
    const follow = (path: string, way: readonly string[]): void => {
      if (way.includes(path)) return void circles.push([...way.slice(way.indexOf(path)), path].join(' → '))
      if (done.has(path)) return
      for (const next of imports.get(path) ?? []) follow(next, [...way, path])
      done.add(path)
    }
    for (const path of imports.keys()) follow(path, [])
    expect(circles).toEqual([])
  })

  it('lets base know no table of a feature', () => {
    const tables = new Set(inServer('features/').flatMap(({ text }) => writtenTables(text)))
    const known = inServer('base/').flatMap(({ path, text }) =>
      [...text.matchAll(/\b(?:from|into|update|join)\s+([a-z_]+)/gi)]
        .filter(([, table]) => tables.has(table as string))
        .map(([words]) => `${path}: ${words}`),
    )
    expect(known).toEqual([])
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
    const panel = list(join(root, 'panel/src'), /\.tsx?$/).filter((file) => !/\.test(-support)?\.tsx?$/.test(file.path))
    const wrong = panel.flatMap(({ path, text, imports }) => [
      ...imports.filter((to) => !to.startsWith('panel/src/')).map((to) => `${path} → ${to}`),
      ...[...text.matchAll(/^(?:import|export)\s+(?!type\s)[^'"]*?from\s+'(@peyk\/[^/']+)'/gm)].map(
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
    const used = new Set<string>()
    for (const file of inServer('features/')) {
      for (const table of writtenTables(file.text)) {
        const feature = featureOf(file.path) as string
        const exception = `${feature} → ${table}`
        if (otherWriters.has(exception)) {
          used.add(exception)
          continue
        }
        if (!writers.has(table)) writers.set(table, new Set())
        writers.get(table)?.add(feature)
      }
    }
    const shared = [...writers]
      .filter(([, features]) => features.size > 1)
      .map(([table, features]) => `${table}: ${[...features].join(', ')}`)
    expect(writers.size).toBeGreaterThan(15)
    expect(shared).toEqual([])
    expect([...otherWriters].filter((exception) => !used.has(exception))).toEqual([])
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

  it('spreads a request over nothing: it comes first in an object, so that it replaces none of our own values', () => {
    // Also a part of a request, or one with a type; not a row's own column, and not a condition.
    const spread = /\.\.\.\(?(?:(?!row\b)\w+[?!]?\.)*(?:body|query|input)\b(?:[?!]?\.\w+)*(?![\w.(]| &&| [!=]==)/g
    const found = inServer('').flatMap(({ path, text }) => [
      ...[...text.matchAll(spread)]
        .filter(({ index }) => !/\{\s*$/.test(text.slice(0, index)))
        .map(({ index, 0: words }) => `${path}: ${text.slice(text.lastIndexOf('\n', index) + 1, index)}${words}`),
      ...(text.match(/Object\.assign\([^)]*\b(?:body|query|input)\b/g) ?? []).map((words) => `${path}: ${words}`),
    ])
    expect(found).toEqual([])
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

  it('puts no timers forward while the database is open, which would be taken for silent', () => {
    const tests = [...files, ...list(join(root, 'test'))].filter(({ path }) => path.endsWith('.test.ts'))
    const forward = tests.filter(
      ({ text }) =>
        /createTest(Store|Server)\(/.test(text) &&
        /useFakeTimers\((?!\{ toFake: \['(Date|performance)'\] \})/.test(text),
    )
    expect(forward.map(({ path }) => path)).toEqual([])
  })

  it('lets tests wait with until and poll, which go on while the answer changes', () => {
    const tests = [...files, ...['simulator/src', 'test'].flatMap((folder) => list(join(root, folder)))]
    const wrong = tests.filter(({ text }) => /\bexpect\s*\.poll\(|\bvi\.waitFor|\bexpect\.element\(/.test(text))
    expect(wrong.map(({ path }) => path)).toEqual([])
  })

  it('has no default exports, no enums and no switched-off tests', () => {
    const wrong = files.filter((file) =>
      /^export default|^(?:export )?(?:const )?enum |\b(?:it|test|describe)\.(?:only|skip|todo)\b/m.test(file.text),
    )
    expect(wrong.map((file) => file.path)).toEqual([])
  })
})
