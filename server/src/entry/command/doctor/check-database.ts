import type { Config } from '#base/config.ts'
import { compareMigrations, type MigrationState } from '#base/store/inspect/compare-migrations.ts'
import { readServer, type ServerState } from '#base/store/inspect/read-server.ts'
import { tryWriting } from '#base/store/inspect/try-writing.ts'
import { countOtherSessions } from '#base/store/other-sessions.ts'
import type { Store } from '#base/store/store.ts'
import { findObstacle, mayNeedIndex } from '#features/segments/index/index-store.ts'
import { defaultIndexLimits } from '#features/segments/index/segment-indexes.ts'
import { countOf } from '../backup/progress-lines.ts'
import { type Finding, fault, ok, warning } from './finding.ts'
import { formatBytes } from './format-bytes.ts'

const MIB = 1024 * 1024
/** Besides the pool: to listen, to hold locks, and to ask whether PostgreSQL lives. */
const connectionsBesidePool = 3
const fewConnections = 5
const usualWorkMem = 16 * MIB

export interface DatabaseReport {
  findings: Finding[]
  /** The tables are those of this version, so that its questions can be asked. */
  isCurrent: boolean
  /** Another process has it open. */
  isUsed: boolean
}

export async function checkDatabase(store: Store, config: Config): Promise<DatabaseReport> {
  const server = await readServer(store)
  const migrations = await compareMigrations(store)
  const isUsed = (await countOtherSessions(store)) > 0
  const refusal = await tryWriting(store)
  const findings = [
    ok(
      'server',
      `PostgreSQL ${server.version}${config.databaseUrl === undefined ? ', embedded' : ''}, ${formatBytes(server.databaseBytes)}`,
    ),
    refusal === undefined
      ? ok('writable', 'can be written')
      : fault(
          'not-writable',
          `The database refuses to be written: ${refusal}`,
          'Connect to the primary server, with a role that owns the database (or may create in its schema public), and see that its disk has room.',
        ),
    judgeMigrations(migrations, isUsed),
    judgeConnections(server, config, isUsed),
    ...judgeMemory(server),
    ...(await checkIndex(store, config)),
  ]
  return { findings, isUsed, isCurrent: !migrations.isEmpty && migrations.missing.length === 0 }
}

export function judgeMigrations({ isEmpty, missing, unknown }: MigrationState, isUsed: boolean): Finding {
  if (isEmpty) return ok('empty', 'empty: the first start makes the tables')
  if (unknown.length > 0)
    return warning(
      'newer-database',
      `The database was migrated by a later version than this one (${unknown.at(-1)}).`,
      'Install that version here, too. Going back to this one for good needs a backup: see docs/self-host/upgrading.md.',
    )
  if (missing.length === 0) return ok('migrations', 'migrations up to date')
  const count = countOf(missing.length, 'migration')
  if (isUsed)
    return warning(
      'older-service',
      `${count} of this version ${missing.length === 1 ? 'is' : 'are'} not applied, and another process uses the database: an earlier version.`,
      'Restart it with this version, which applies them. See docs/self-host/upgrading.md.',
    )
  return warning(
    'migrations-missing',
    `${count} of this version ${missing.length === 1 ? 'is' : 'are'} not applied.`,
    'Make a backup; the next start of the service applies them.',
  )
}

export function judgeConnections(
  { connectionsLeft }: Pick<ServerState, 'connectionsLeft'>,
  { poolSize }: Pick<Config, 'poolSize'>,
  isUsed: boolean,
): Finding {
  const left = `${connectionsLeft} more connections to PostgreSQL are possible`
  const advice =
    'Raise max_connections of PostgreSQL (or the limit of the role or database), or lower PEYK_DATABASE_POOL.'
  const needed = poolSize + connectionsBesidePool
  if (isUsed && connectionsLeft < fewConnections) return warning('connections', `Only ${left}.`, advice)
  // The one that asks will be free.
  if (!isUsed && connectionsLeft + 1 < needed)
    return fault('connections', `Only ${left}; the service takes up to ${needed}.`, advice)
  return ok('connections', left)
}

function judgeMemory({ workMemBytes }: ServerState): Finding[] {
  if (workMemBytes >= usualWorkMem) return []
  const advice = `Set work_mem = '16MB' in postgresql.conf, or for the role of PEYK_DATABASE_URL.`
  return [
    warning(
      'work-mem',
      `work_mem of PostgreSQL is ${workMemBytes / MIB} MB: large segments are slow with less than 16 MB.`,
      advice,
    ),
  ]
}

async function checkIndex(store: Store, { segmentIndexMb }: Config): Promise<Finding[]> {
  if (segmentIndexMb === 0 || !(await mayNeedIndex(store, defaultIndexLimits.fromInstallations))) return []
  return [judgeIndex(await findObstacle(store))]
}

export function judgeIndex(obstacle: string | undefined): Finding {
  if (obstacle === undefined) return ok('segment-index', 'segments of large apps can be counted from memory')
  return warning(
    'segment-index',
    `Segments of large apps are counted by SQL, which may take seconds: ${obstacle}.`,
    'See "Segments of large apps" in docs/self-host/operations.md for what PostgreSQL needs, or set PEYK_SEGMENT_INDEX_MB=0 if that is wanted.',
  )
}
