import { createRequire } from 'node:module'
import type { PostgresConnection } from '@peyk/server/base/store/embedded/postgres-connection.ts'
import { parseKeys } from './parse.ts'

/** The peer, as a process: Parse Server with its default settings, logging nothing. */
interface ParseServer {
  start(): Promise<void>
  app: unknown
}
interface Express {
  use(path: string, app: unknown): void
  listen(port: number, host: string): void
}

const require = createRequire(import.meta.url)
const { ParseServer } = require('parse-server') as { ParseServer: new (options: object) => ParseServer }
const express = require('express') as () => Express

const [port, connection] = process.argv.slice(2) as [string, string]
const url = `http://127.0.0.1:${port}/parse`
const parse = new ParseServer({
  appId: parseKeys.appId,
  masterKey: parseKeys.masterKey,
  serverURL: url,
  databaseURI: 'postgres://',
  databaseOptions: { ...(JSON.parse(connection) as PostgresConnection), max: 12 },
  silent: true,
  logLevel: 'error',
})
await parse.start()
const app = express()
app.use('/parse', parse.app)
app.listen(Number(port), '127.0.0.1')
