import { join } from 'node:path'
import { databaseUrl } from '../measure/cluster.ts'
import { findFreePort, type RunningProcess, startProcess } from '../measure/process.ts'
import type { PeykDatabase } from './peyk.ts'

export async function startBareFastify(database: PeykDatabase): Promise<RunningProcess> {
  const port = await findFreePort()
  const args = [join(import.meta.dirname, 'bare-fastify.ts'), String(port), databaseUrl(database.connection)]
  return startProcess({ name: 'Bare Fastify', args, port, readyPath: '/ready', env: {} })
}
