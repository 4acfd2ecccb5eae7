import { once } from 'node:events'
import { createServer } from 'node:net'

/** The port when nobody has it, else 0, which is any free one. */
export async function portIfFree(port: number | undefined, host: string): Promise<number> {
  if (port === undefined || port === 0) return 0
  const server = createServer()
  try {
    server.listen(port, host)
    await once(server, 'listening')
  } catch {
    return 0
  }
  server.close()
  await once(server, 'close')
  return port
}
