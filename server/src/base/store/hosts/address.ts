import pg from 'pg'
import { PrimaryFinder } from './primary-finder.ts'
import { splitHosts } from './split-hosts.ts'

export type ClientClass = new (config: pg.ClientConfig) => pg.Client

/** Where PostgreSQL is, and how to connect to it. */
export interface Address {
  config: pg.ClientConfig
  Client: ClientClass
  /** Of several hosts the primary of this moment, for a connection that `Client` cannot be. */
  find(): Promise<pg.ClientConfig>
  /** For what was opened to look after several hosts. */
  close(): void
}

export function openAddress(connection: string | pg.ClientConfig): Address {
  const urls = typeof connection === 'string' ? splitHosts(connection) : []
  const config = typeof connection === 'string' ? { connectionString: urls[0] as string } : connection
  if (urls.length < 2) return { config, Client: pg.Client, find: async () => config, close: () => undefined }
  const finder = new PrimaryFinder(urls)
  return {
    config,
    Client: clientOfPrimary(finder, urls),
    find: async () => ({ connectionString: urls[(await finder.find()).index] as string }),
    close: () => finder.close(),
  }
}

export function newClient({ config, Client }: Address, more: pg.ClientConfig): pg.Client {
  return new Client({ ...config, ...more })
}

type Connected = (error?: Error) => void

/** A client that connects to whichever of the hosts can be written to. */
function clientOfPrimary(finder: PrimaryFinder, urls: readonly string[]): ClientClass {
  const places = urls.map((connectionString) => {
    const { host, port } = new pg.Client({ connectionString })
    return { host, port }
  })
  class PrimaryClient extends pg.Client {
    override connect(): Promise<pg.Client>
    override connect(callback: Connected): void
    override connect(callback?: Connected): Promise<pg.Client> | undefined {
      const connected = this.connectToPrimary()
      if (!callback) return connected
      connected.then(() => callback(), callback)
      return undefined
    }

    private async connectToPrimary(): Promise<pg.Client> {
      const primary = await finder.find()
      Object.assign(this, places[primary.index])
      try {
        await super.connect()
      } catch (error) {
        finder.forget(primary)
        throw error
      }
      try {
        await finder.admit(this, primary)
      } catch (error) {
        await this.end().catch(() => undefined)
        throw error
      }
      return this
    }
  }
  return PrimaryClient
}
