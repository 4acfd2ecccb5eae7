import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Store, Transaction } from '@peyk/server/base/store/store.ts'

const root = join(import.meta.dirname, '../../..')

/** The order in which tables are locked, as ARCHITECTURE.md has it between two marks. */
export const lockOrder = readOrder(readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8'))

/** They go to rows that their transaction has locked before, or that nobody locks but with a delivery that it has. */
const toLockedRows = [
  /^update deliveries d set in_inbox = false/,
  /^delete from (delivery|language|action)_counters (c using messages m )?where/,
  /^(with gone as \( )?delete from deliveries where/,
  /^select installation_no, id, user_no from installations/,
  // A part of the held uninstalls, all of which were locked beforehand.
  /^select 1 from installations where app_id = \$1 and installation_no = any\(\$2::bigint\[\]\) order by installation_no/,
  // Of an installation that comes twice in one batch, the second time.
  /^select i\.app_id, i\.id, i\.installation_no, i\.user_no, i\.device_type, i\.launched_at/,
]
/** Locked by a select of their own before anything is written to them: later writes take no lock. */
const lockedBySelect = new Set(['installations', 'users'])

function readOrder(text: string): string[] {
  const [, list] = /```lock-order\n([\s\S]+?)```/.exec(text) ?? []
  const tables = list?.split(/[\s→]+/).filter((word) => word !== '') ?? []
  if (tables.length < 10) throw new Error('ARCHITECTURE.md does not say in which order tables are locked.')
  return tables
}

interface Part {
  /** Undefined for the main part of a statement. */
  name: string | undefined
  text: string
  tables: string[]
}

/** What is locked against the order within one statement: PostgreSQL runs parts that do not read one another as it likes. */
export function findDisorder(text: string): string[] {
  const parts = partsOf(text)
  const faults: string[] = []
  for (const first of parts) {
    for (const second of parts) {
      for (const early of first.tables) {
        for (const late of second.tables) {
          if (first === second || rank(early) >= rank(late) || isBefore(first, second, parts)) continue
          faults.push(`${early} is not locked before ${late}`)
        }
      }
    }
  }
  return faults
}

/** The tables on whose rows a statement may wait, in the order of all. */
export function lockedTables(text: string): string[] {
  return [...new Set(partsOf(text).flatMap((part) => part.tables))].sort((a, b) => rank(a) - rank(b))
}

function rank(table: string): number {
  return lockOrder.indexOf(table)
}

/** A part that another reads has ended before it; what the main part does not read runs after it. */
function isBefore(first: Part, second: Part, parts: readonly Part[]): boolean {
  if (reads(second, first, parts)) return true
  return first.name === undefined && !reads(first, second, parts)
}

function reads(reader: Part, part: Part, parts: readonly Part[], seen = new Set<Part>()): boolean {
  if (seen.has(reader)) return false
  seen.add(reader)
  return parts.some(
    (each) =>
      each !== reader &&
      each.name !== undefined &&
      new RegExp(`\\b${each.name}\\b`).test(reader.text) &&
      (each === part || reads(each, part, parts, seen)),
  )
}

const parsed = new Map<string, Part[]>()

function partsOf(statement: string): Part[] {
  let parts = parsed.get(statement)
  if (!parts) {
    parts = cut(statement.replace(/'(?:[^']|'')*'/g, "''")).map(({ name, text }) => ({
      name,
      text,
      tables: locks(text),
    }))
    parsed.set(statement, parts)
  }
  return parts
}

/** `with a as (…), b as (…) main` in its parts. */
function cut(text: string): { name: string | undefined; text: string }[] {
  const parts: { name: string | undefined; text: string }[] = []
  let rest = text.trim()
  let head = /^with\s+(\w+)\s*(?:\([^)]*\)\s*)?as\s+(?:not\s+)?(?:materialized\s*)?\(/i.exec(rest)
  while (head) {
    const end = closing(rest, head[0].length)
    parts.push({ name: head[1], text: rest.slice(head[0].length, end) })
    rest = rest.slice(end + 1).trim()
    head = /^,\s*(\w+)\s*(?:\([^)]*\)\s*)?as\s+(?:not\s+)?(?:materialized\s*)?\(/i.exec(rest)
  }
  return [...parts, { name: undefined, text: rest }]
}

function closing(text: string, from: number): number {
  let depth = 1
  for (let index = from; index < text.length; index++) {
    if (text[index] === '(') depth++
    if (text[index] === ')' && --depth === 0) return index
  }
  return text.length
}

/** A plain insert waits for nobody: what it makes is new. */
function locks(text: string): string[] {
  const inserted = /\bon\s+conflict\b/i.test(text) ? names(text, /\binsert\s+into\s+(\w+)/gi) : []
  const written = [
    ...names(text, /\bupdate\s+(\w+)\s+(?:(?:as\s+)?\w+\s+)?set\b/gi),
    ...names(text, /\bdelete\s+from\s+(\w+)/gi),
  ].filter((table) => !lockedBySelect.has(table))
  return [...inserted, ...written, ...selected(text)].filter((table) => rank(table) >= 0)
}

function selected(text: string): string[] {
  const lock = /\bfor\s+(?:no\s+key\s+)?(?:update|share)\b(?:\s+of\s+(\w+))?(?!\s+(?:of\s+\w+\s+)?skip)/i.exec(text)
  if (!lock) return []
  if (lock[1] === undefined) return names(text, /\b(?:from|join)\s+(\w+)/gi)
  return names(text, new RegExp(`\\b(?:from|join)\\s+(\\w+)\\s+(?:as\\s+)?${lock[1]}\\b`, 'gi'))
}

function names(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map((match) => match[1] as string)
}

/** Follows every statement of the product, and notes those that lock against the order. */
export function watchLockOrder(store: Store): { store: Store; faults: Set<string> } {
  const faults = new Set<string>()
  const look = (text: string, name: string | undefined) => {
    for (const fault of findDisorder(text)) faults.add(`${describe(text, name)}: ${fault}`)
  }
  const transaction = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => {
    if (!isOfProduct(new Error().stack ?? '')) return store.transaction(work)
    return store.transaction((tx) => {
      let last: { table: string; by: string } | undefined
      const follow = (text: string, name: string | undefined) => {
        look(text, name)
        const tables = lockedTables(text)
        const [first] = tables
        const plain = oneLine(text)
        if (first === undefined || toLockedRows.some((pattern) => pattern.test(plain))) return
        if (last && rank(first) < rank(last.table))
          faults.add(`${describe(text, name)} locks ${first} after ${last.by} locked ${last.table}`)
        const latest = tables.at(-1) as string
        if (!last || rank(latest) > rank(last.table)) last = { table: latest, by: describe(text, name) }
      }
      const client = new Proxy(tx.client, {
        get(target, key) {
          const value = Reflect.get(target, key)
          if (typeof value !== 'function') return value
          if (key !== 'query') return value.bind(target)
          return (...given: unknown[]) => {
            if (typeof given[0] === 'string') follow(given[0], undefined)
            return value.apply(target, given)
          }
        },
      })
      return work({
        client,
        query: (statement, name) => {
          follow(statement.text, name)
          return tx.query(statement, name)
        },
        afterCommit: tx.afterCommit,
      })
    })
  }
  const query: Store['query'] = (statement, name) => {
    look(statement.text, name)
    return store.query(statement, name)
  }
  return { store: { ...store, query, transaction }, faults }
}

function describe(text: string, name: string | undefined): string {
  return name ?? oneLine(text).slice(0, 80)
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ')
}

/** What fills an app in which nobody else writes. */
const onItsOwn = /\/features\/(demo\/|receipts\/store-past-deliveries)/

/** A test, and the demo in its own app, may do many things in one transaction. */
function isOfProduct(stack: string): boolean {
  if (onItsOwn.test(stack)) return false
  const caller = stack.split('\n').find((line) => line.includes(root) && !line.includes('helpers/lock-order')) ?? ''
  const path = caller.slice(caller.indexOf(root) + root.length)
  return path.startsWith('/server/src/') && !/\.test(-support)?\.ts/.test(path)
}
