import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeTemporaryFolder } from '../../measure/cluster.ts'
import { startTold } from '../crowd.ts'
import type { Login } from '../mqtt-client.ts'

export interface ConnectOrder {
  do: 'connect'
  /** Logins as JSON, one a line; those from `from` to before `to` are meant. */
  file: string
  from: number
  to: number
  port: number
  /** So many may be waiting to be let in. */
  atATime: number
  /** Of the loopback addresses that clients come from, 127.0.0.2 and those after it, this many clients share one. */
  perAddress: number
  /** So many clients of others have theirs before. */
  before: number
}

export type IdleOrder = ConnectOrder | { do: 'look' } | { do: 'call' }

export interface IdleReports {
  connect: { connected: number; refused: number; why: string[] }
  look: { connected: number; lost: number }
  call: { answered: number }
}

export interface IdleClients {
  connect(): Promise<IdleReports['connect']>
  look(): Promise<IdleReports['look']>
  /** All ping once more. */
  call(): Promise<IdleReports['call']>
  end(): Promise<void>
}

const perProcess = 25_000
/** From one address to one port there are some 28,000 ports, and the service takes 20,000 of one address. */
const perAddress = 10_000
const atATime = 200

/** The clients, in processes of their own. */
export async function startIdleClients(
  logins: readonly Login[],
  { port, first }: { port: number; first: number },
): Promise<IdleClients> {
  const file = join(await makeTemporaryFolder(), 'logins')
  await writeFile(file, logins.map((login) => JSON.stringify(login)).join('\n'))
  const count = Math.ceil(logins.length / perProcess)
  const processes = await Promise.all(Array.from({ length: count }, () => startTold(join('idle', 'idle-process.ts'))))
  const tellAll = <Kind extends IdleOrder['do']>(orderOf: (index: number) => Extract<IdleOrder, { do: Kind }>) =>
    Promise.all(
      processes.map(({ hear, send }, index) => {
        const report = hear()
        send(orderOf(index))
        return report as Promise<IdleReports[Kind]>
      }),
    )
  return {
    connect: async () => {
      const reports = await tellAll<'connect'>((index) => ({
        do: 'connect',
        file,
        from: index * perProcess,
        to: Math.min((index + 1) * perProcess, logins.length),
        port,
        atATime: Math.ceil(atATime / count),
        perAddress,
        before: first,
      }))
      return {
        connected: sum(reports.map(({ connected }) => connected)),
        refused: sum(reports.map(({ refused }) => refused)),
        why: [...new Set(reports.flatMap(({ why }) => why))],
      }
    },
    look: async () => {
      const reports = await tellAll<'look'>(() => ({ do: 'look' }))
      return {
        connected: sum(reports.map(({ connected }) => connected)),
        lost: sum(reports.map(({ lost }) => lost)),
      }
    },
    call: async () => {
      const reports = await tellAll<'call'>(() => ({ do: 'call' }))
      return { answered: sum(reports.map(({ answered }) => answered)) }
    },
    end: async () => void (await Promise.all(processes.map(({ end }) => end()))),
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
