import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import { type Address, newClient, openAddress } from './hosts/address.ts'
import { splitHosts } from './hosts/split-hosts.ts'

/** Its message is one line, meant for the person who set PEYK_DATABASE_URL. */
export class ExternalPostgresError extends Error {}

const oldestMajor = 15
/** Long, because a machine that starts much at once is slow: nobody waits for an answer yet. */
const timeoutMs = 20_000
const lookAgainMs = 500

/** Connects once, to say what is wrong before anything is built on it. Answers how many connections it lets roles have. */
export async function checkExternalPostgres(url: string): Promise<number> {
  const server = await askPatiently(url)
  const fault = findServerFault(server)
  if (fault) throw new ExternalPostgresError(`The database of PEYK_DATABASE_URL ${fault}`)
  return server.connections
}

export function findServerFault({ version, encoding }: { version: string; encoding: string }): string | undefined {
  if (Number.parseInt(version, 10) < oldestMajor) return `is PostgreSQL ${version}; ${oldestMajor} or newer is needed.`
  return encoding === 'UTF8' ? undefined : `has the encoding ${encoding}; create it with the encoding UTF8.`
}

/** Of several servers none may be the primary for a moment: this start came in the middle of a fail-over. */
async function askPatiently(url: string): ReturnType<typeof askServer> {
  const isOneOfSeveral = splitHosts(url).length > 1
  for (const begunAtMs = performance.now(); ; await delay(lookAgainMs)) {
    try {
      return await askServer(url)
    } catch (error) {
      if (!isOneOfSeveral || performance.now() - begunAtMs > timeoutMs) throw error
    }
  }
}

async function askServer(url: string): Promise<{ version: string; encoding: string; connections: number }> {
  let address: Address | undefined
  let client: Client | undefined
  try {
    address = openAddress(url)
    client = newClient(address, {
      connectionTimeoutMillis: timeoutMs,
      query_timeout: timeoutMs,
      application_name: 'peyk check',
    })
    client.on('error', () => undefined)
    await client.connect()
    const { rows } = await client.query(
      `select current_setting('server_version') as version, current_setting('server_encoding') as encoding,
              current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
                - coalesce(current_setting('reserved_connections', true)::int, 0) as connections`,
    )
    return rows[0]
  } catch (error) {
    throw new ExternalPostgresError(
      `The database of PEYK_DATABASE_URL (${splitHosts(url).map(withoutSecrets).join(', ')}) cannot be used: ${reasonOf(error)}`,
      { cause: error },
    )
  } finally {
    await client?.end().catch(() => undefined)
    address?.close()
  }
}

function withoutSecrets(url: string): string {
  const parsed = URL.parse(url.replace(/^postgres(ql)?:\/\/([^/@]*@)?\//, 'postgresql://socket/'))
  if (!parsed) return 'not a URL that can be read'
  return `${parsed.searchParams.get('host') ?? parsed.host}${parsed.pathname}`
}

function reasonOf(error: unknown): string {
  // A name with two addresses fails with one error for each.
  const errors = error instanceof AggregateError ? error.errors : [error]
  const reasons = errors.map((one) => (one instanceof Error ? one.message : String(one)))
  return [...new Set(reasons)].join(', ').replace(/\s*\n\s*/g, ' / ')
}
