import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { asWritten } from '@peyk/server/base/store/keep-plan.ts'
import type { Store } from '@peyk/server/base/store/store.ts'
import pg from 'pg'
import { afterAll } from 'vitest'
import { type RecordedStatement, recordsFolder } from './recorded.ts'

type Columns = RecordedStatement['columns']

/** Test files share a process. */
const shared = globalThis as { peykRows?: { places: Map<string, Places>; columns: Map<string, Columns> } }
const rowsLookedAt = 100
/** The same text may stand in two places. */
const looksPerText = 20

interface Places {
  asked: number
  from: Set<string>
}

/**
 * Remembers who asks for what, so that test/row-types/check.ts can compare the type of the row with its columns. To be
 * called at the top of a file.
 */
export function recordPlaces(store: Store): Store {
  if (recordsFolder === undefined) return store
  const file = join(recordsFolder, `${process.pid}.json`)
  afterAll(() => writeFileSync(file, JSON.stringify(recorded())))
  const { places } = records()
  const note = (text: string) => {
    const known = places.get(text) ?? { asked: 0, from: new Set<string>() }
    places.set(text, known)
    if (known.asked++ < looksPerText) known.from.add(callerOf(new Error()))
  }
  return {
    ...store,
    query: (statement, name) => {
      note(statement.text)
      return store.query(statement, name)
    },
    transaction: (work) =>
      store.transaction((tx) =>
        work({
          get client() {
            return tx.client
          },
          query: (statement, name) => {
            note(statement.text)
            return tx.query(statement, name)
          },
          afterCommit: tx.afterCommit,
        }),
      ),
  }
}

function records(): { places: Map<string, Places>; columns: Map<string, Columns> } {
  if (!shared.peykRows) {
    shared.peykRows = { places: new Map(), columns: new Map() }
    watchAnswers(shared.peykRows.columns)
  }
  return shared.peykRows
}

function recorded(): RecordedStatement[] {
  const { places, columns } = records()
  return [...places].flatMap(([text, { from }]) => {
    const seen = columns.get(text)
    return seen ? [...from].map((place) => ({ place, columns: seen })) : []
  })
}

function watchAnswers(seen: Map<string, Columns>): void {
  const query = pg.Client.prototype.query as (...given: unknown[]) => unknown
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    const answer = query.apply(this, given)
    const { text } = given[0] as { text?: unknown }
    if (typeof text === 'string' && answer instanceof Promise)
      answer.then(
        (result: pg.QueryResult | pg.QueryResult[]) => {
          if (!Array.isArray(result)) note(seen, asWritten(text), result)
        },
        () => undefined,
      )
    return answer
  } as typeof pg.Client.prototype.query
}

function note(seen: Map<string, Columns>, text: string, { fields, rows }: pg.QueryResult): void {
  if (fields.length === 0) return
  let columns = seen.get(text)
  if (!columns) {
    columns = fields.map(({ name, dataTypeID }) => ({ name, typeOid: dataTypeID, wasNull: false }))
    seen.set(text, columns)
  }
  for (const column of columns) column.wasNull ||= rows.slice(0, rowsLookedAt).some((row) => row[column.name] === null)
}

/** The first place that belongs to neither the store nor this folder. */
function callerOf({ stack = '' }: Error): string {
  const lines = stack.split('\n').slice(1)
  return (
    lines.find((line) => !/\/base\/store\/(store|pool\/)|\/test\/(row-types|helpers\/database)\//.test(line))?.trim() ??
    ''
  )
}
