import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import pg from 'pg'
import { afterAll } from 'vitest'

interface Pair {
  client: Socket
  server: Socket
  isLost: boolean
}

export interface PostgresProxy {
  url: string
  /** As if PostgreSQL or its host stood still: connections stay open, and nothing comes. Those who call get no answer. */
  fallSilent(): void
  speak(): void
  /** As after a failover: what was open is dead without a word, who calls now is answered. */
  loseConnections(): void
  /** The next time a client says this, PostgreSQL hears it, and its answer and all that follow are lost. */
  loseAnswerTo(words: string): void
}

/** Between a store and PostgreSQL; ends with the test file. */
export async function openPostgresProxy(databaseUrl: string): Promise<PostgresProxy> {
  const { host, port, user, password, database } = new pg.Client({ connectionString: databaseUrl })
  const pairs = new Set<Pair>()
  let isSilent = false
  let lost: string | undefined

  const mute = ({ client, server }: Pair) => {
    client.pause()
    server.pause()
  }
  const proxy = createServer((client) => {
    const server = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
    const pair: Pair = { client, server, isLost: false }
    pairs.add(pair)
    client.on('data', (chunk) => {
      server.write(chunk)
      if (lost === undefined || !chunk.includes(lost)) return
      lost = undefined
      pair.isLost = true
      server.pause()
    })
    server.on('data', (chunk) => client.write(chunk))
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      one.on('error', () => undefined)
      one.on('close', () => {
        pairs.delete(pair)
        // PostgreSQL learns nothing of a client that was cut off from it.
        if (!pair.isLost) other.end()
      })
    }
    if (isSilent) mute(pair)
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  afterAll(() => {
    proxy.close()
    for (const { client, server } of pairs) {
      client.destroy()
      server.destroy()
    }
  })
  const place = `127.0.0.1:${(proxy.address() as AddressInfo).port}`
  return {
    url: `postgresql://${user}:${encodeURIComponent(password ?? '')}@${place}/${database}`,
    fallSilent: () => {
      isSilent = true
      for (const pair of pairs) mute(pair)
    },
    speak: () => {
      isSilent = false
      for (const { client, server, isLost } of pairs) {
        if (isLost) continue
        client.resume()
        server.resume()
      }
    },
    loseConnections: () => {
      for (const pair of pairs) {
        pair.isLost = true
        mute(pair)
      }
    },
    loseAnswerTo: (words) => {
      lost = words
    },
  }
}
