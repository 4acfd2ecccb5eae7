import { natsOptions } from '#base/bus/nats/open-nats.ts'
import type { Config } from '#base/config.ts'
import { type Finding, fault, ok } from './finding.ts'

/** Whether this machine reaches a server of NATS, and is let in. */
export async function checkNats({ nats }: Pick<Config, 'nats'>): Promise<Finding[]> {
  if (!nats) return []
  const { connect } = await import('@nats-io/transport-node')
  const where = nats.servers.join(', ')
  try {
    const connection = await connect({ ...natsOptions(nats), reconnect: false })
    await connection.close()
    return [ok('nats', `NATS answers at ${where}`)]
  } catch (error) {
    return [
      fault(
        'nats-unreachable',
        `NATS at ${where} cannot be used (${(error as Error).message}); until it can, processes tell each other by PostgreSQL.`,
        'See that it runs, that this machine reaches it, and that the name and password in PEYK_NATS_URL are right.',
      ),
    ]
  }
}
