import { join } from 'node:path'
import type { PostgresConnection } from '@peyk/server/base/store/embedded/postgres-connection.ts'
import { findFreePort, type RunningProcess, startProcess } from '../measure/process.ts'

export const parseKeys = { appId: 'bench', masterKey: 'bench-master-key' }

/** The master key skips Parse's permission checks: its fastest way in. */
export const parseHeaders = {
  'X-Parse-Application-Id': parseKeys.appId,
  'X-Parse-Master-Key': parseKeys.masterKey,
  'Content-Type': 'application/json',
}

export async function startParse(connection: PostgresConnection): Promise<RunningProcess> {
  const port = await findFreePort()
  return startProcess({
    name: 'Parse Server',
    args: [join(import.meta.dirname, 'parse-server.ts'), String(port), JSON.stringify(connection)],
    port,
    readyPath: '/parse/health',
    env: {},
  })
}

/** A class whose columns exist before the first object comes. */
export async function createParseClass(url: string, className: string, fields: Record<string, string>): Promise<void> {
  const types = Object.fromEntries(Object.entries(fields).map(([name, type]) => [name, { type }]))
  const response = await fetch(`${url}/parse/schemas/${className}`, {
    method: 'POST',
    headers: parseHeaders,
    body: JSON.stringify({ className, fields: types }),
  })
  if (!response.ok) throw new Error(`Parse Server refused the class ${className}: ${await response.text()}`)
}
