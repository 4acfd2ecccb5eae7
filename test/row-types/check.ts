import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import type { RecordedStatement } from './recorded.ts'

/** As the store reads them. */
const typesOfColumns: Record<number, string> = {
  16: 'boolean',
  17: 'Buffer',
  19: 'string',
  20: 'number',
  21: 'number',
  23: 'number',
  25: 'string',
  26: 'number',
  114: 'unknown',
  701: 'number',
  1007: 'readonly number[]',
  1009: 'readonly string[]',
  1016: 'readonly string[]',
  1022: 'readonly number[]',
  1185: 'readonly Date[]',
  1082: 'Date',
  1184: 'Date',
  1700: 'number',
  2950: 'string',
  2951: 'readonly string[]',
  3802: 'unknown',
}

/** Files whose queries no test sees through its store, and why. */
const unchecked: Record<string, string> = {
  'server/src/base/store/store.ts': 'it is the store',
  'server/src/base/store/listener.ts': 'has a connection of its own',
  'server/src/base/store/lock-keeper.ts': 'has a connection of its own',
  'server/src/base/store/pool/liveness-check.ts': 'has a connection of its own',
  'server/src/base/store/other-sessions.ts': 'is asked by commands only, in processes of their own',
  'server/src/features/deliveries/providers/apns/reseal-apns-tokens.ts': 'is asked by a command only',
  'server/src/features/webhooks/settings/reseal-webhooks.ts': 'is asked by a command only',
  'server/src/features/demo/send-demo-messages.ts': 'is asked at the first start only',
  'server/src/features/privacy/export-store.ts': 'has rows of a type that its callers choose',
}

interface Compared {
  faults: string[]
  compared: number
}

interface Call {
  /** Where the type of the row begins and ends. */
  from: number
  to: number
}

const root = join(import.meta.dirname, '../..')

/**
 * Compares the type of every row with what the database answered while the tests ran: a copy of the sources says for each
 * `query<Row>` what was seen, and the compiler says where that does not fit.
 */
export async function checkRowTypes(folder: string): Promise<Compared> {
  const seen = await readRecords(folder)
  const shadow = await mkdtemp(join(tmpdir(), 'peyk-rows-'))
  try {
    await symlink(join(root, 'node_modules'), join(shadow, 'node_modules'))
    await cp(join(root, 'server/package.json'), join(shadow, 'server/package.json'))
    await cp(join(root, 'test/row-types/verdict.d.ts'), join(shadow, 'verdict.d.ts'))
    await cp(join(root, 'server/src'), join(shadow, 'server/src'), {
      recursive: true,
      filter: (path) => !/\.test(-support)?\.ts$/.test(path),
    })
    const { unseen, compared } = await writeVerdicts(shadow, seen)
    return { faults: [...unseen, ...(await compile(shadow))], compared }
  } finally {
    await rm(shadow, { recursive: true, force: true })
  }
}

async function readRecords(folder: string): Promise<Map<string, Columns[]>> {
  const seen = new Map<string, Columns[]>()
  for (const file of globSync(join(folder, '*.json'))) {
    for (const { place, columns } of JSON.parse(await readFile(file, 'utf8')) as RecordedStatement[]) {
      const [, path] = /\(?([^( ]+:\d+:\d+)\)?$/.exec(place) ?? []
      if (path === undefined) continue
      const key = relative(root, path.replace(/^file:\/\//, ''))
      seen.set(key, merge(seen.get(key) ?? [], columns))
    }
  }
  return seen
}

type Columns = RecordedStatement['columns']

/** Other processes have seen the same columns, and other rows in them. */
function merge(known: Columns[], seen: Columns): Columns[] {
  const isSame = (columns: Columns) =>
    columns.length === seen.length &&
    columns.every(({ name, typeOid }, index) => name === seen[index]?.name && typeOid === seen[index]?.typeOid)
  const same = known.find(isSame)
  if (!same) return [...known, seen]
  for (const [index, column] of same.entries()) column.wasNull ||= seen[index]?.wasNull ?? false
  return known
}

async function writeVerdicts(
  shadow: string,
  seen: Map<string, Columns[]>,
): Promise<{ unseen: string[]; compared: number }> {
  const unseen: string[] = []
  let compared = 0
  for (const path of globSync('server/src/**/*.ts', { cwd: shadow })) {
    let text = await readFile(join(shadow, path), 'utf8')
    for (const call of findCalls(text).reverse()) {
      const place = placeIn(text, path, call)
      const answers = path in unchecked ? [] : seen.get(place)
      if (answers) compared++
      else unseen.push(`${place}: no test has asked this`)
      const row = text.slice(call.from, call.to)
      const verdicts = (answers ?? []).reduce(
        (inner, columns) => `CheckedRow<${inner}, ${verdictOn(row, columns)}>`,
        row,
      )
      text = text.slice(0, call.from) + verdicts + text.slice(call.to)
    }
    await writeFile(join(shadow, path), text)
  }
  return { unseen, compared }
}

/** Every `.query<Row>(`. */
function findCalls(text: string): Call[] {
  return [...text.matchAll(/\.query</g)].map(({ index }) => {
    const from = index + '.query<'.length
    return { from, to: from + lengthOfType(text.slice(from)) }
  })
}

function lengthOfType(text: string): number {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    if ('<{(['.includes(text[at] as string)) depth++
    if ('>})]'.includes(text[at] as string) && text[at - 1] !== '=' && depth-- === 0) return at
  }
  return text.length
}

/** As a stack says it: lines and columns begin with 1. */
function placeIn(text: string, path: string, { from }: Call): string {
  const before = text.slice(0, from - 'query<'.length)
  return `${path}:${before.split('\n').length}:${before.length - before.lastIndexOf('\n')}`
}

function verdictOn(row: string, columns: Columns): string {
  const types = columns.map(
    ({ name, typeOid }) => `${JSON.stringify(name)}: ${typesOfColumns[typeOid] ?? `'type ${typeOid}'`}`,
  )
  const nulls = columns.filter(({ wasNull }) => wasNull).map(({ name }) => JSON.stringify(name))
  return `RowVerdict<${row}, { ${types.join('; ')} }, ${nulls.join(' | ') || 'never'}>`
}

async function compile(shadow: string): Promise<string[]> {
  const { compilerOptions } = JSON.parse(await readFile(join(root, 'tsconfig.json'), 'utf8'))
  await writeFile(
    join(shadow, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, include: ['server/src', 'verdict.d.ts'] }),
  )
  const tsc = promisify(execFile)('tsc', ['-p', '.', '--pretty', 'false'], { cwd: shadow, maxBuffer: 2 ** 26 })
  const { stdout } = await tsc.catch((error: { stdout: string }) => error)
  return stdout.split('\n').filter((line) => line.includes('error TS'))
}
