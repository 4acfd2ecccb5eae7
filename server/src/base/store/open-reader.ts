import sql from 'sql-template-tag'
import type { Database, Store } from './store.ts'
import { isStoreAway } from './store-error.ts'

const lookEveryMs = 2_000
/** Who is further behind is not asked. */
const longestLagMs = 10_000

/** Where the primary was. */
interface Mark {
  atMs: number
  position: bigint
}

export interface Reader {
  store: Store
  close(): Promise<void>
}

/**
 * The store for questions whose answer may be some seconds old: a replica, as long as it is there and has kept up, else
 * the primary. What it is asked changes nothing, and so can be asked again of the other.
 */
export function openReader(primary: Store, replica: Store, onChange: (isAsked: boolean) => void = () => {}): Reader {
  let marks: Mark[] = []
  /** Undefined until it was looked at. */
  let isFresh: boolean | undefined
  const setFresh = (isAsked: boolean) => {
    if (isAsked !== isFresh) onChange(isAsked)
    isFresh = isAsked
  }
  let looking: Promise<void> = Promise.resolve()

  const look = async (): Promise<void> => {
    try {
      const position = await readPosition(primary, sql`pg_current_wal_lsn()`)
      marks = [...marks.slice(-longestLagMs / lookEveryMs), { atMs: performance.now(), position }]
      const replayed = await readPosition(replica, sql`coalesce(pg_last_wal_replay_lsn(), pg_current_wal_lsn())`)
      setFresh(marks.some((mark) => mark.position <= replayed && performance.now() - mark.atMs <= longestLagMs))
    } catch {
      setFresh(false)
    }
  }
  const turn = () => {
    looking = looking.then(look)
  }
  const ticker = setInterval(turn, lookEveryMs).unref()
  turn()

  const ask = async <T>(question: (of: Store) => Promise<T>): Promise<T> => {
    if (!isFresh) return question(primary)
    try {
      return await question(replica)
    } catch (error) {
      if (!isStoreAway(error)) throw error
      setFresh(false)
      return question(primary)
    }
  }
  return {
    store: {
      ...primary,
      query: (statement, name) => ask((of) => of.query(statement, name)),
      transaction: (work) => ask((of) => of.transaction(work)),
    },
    close: async () => {
      clearInterval(ticker)
      await looking
      await replica.close()
    },
  }
}

async function readPosition(database: Database, position: ReturnType<typeof sql>): Promise<bigint> {
  const [row] = await database.query<{ position: string }>(sql`select (${position} - '0/0'::pg_lsn)::text as position`)
  return BigInt((row as { position: string }).position)
}
