import { fork } from 'node:child_process'
import { join } from 'node:path'
import { stopLater } from '../measure/started.ts'
import type { Login } from './mqtt-client.ts'
import type { Percentiles } from './percentiles.ts'

export interface Gathering {
  port: number
  logins: Login[]
  /** What each subscribes to; undefined where the service knows. */
  topic?: string | undefined
}

/** How one message is sent to all. */
export type Way =
  | { kind: 'publish'; topic: string; payloadBytes: number }
  | { kind: 'post'; url: string; path: string; body: string }

export interface SpreadOrder {
  do: 'spread'
  way: Way
  seconds: number
  atATime: number
}

export interface PersonalOrder {
  do: 'send-personal'
  url: string
  path: string
  body: object
  users: string[]
  perSecond: number
  seconds: number
}

export type CrowdOrder =
  | { do: 'gather'; gathering: Gathering }
  | { do: 'come-again' }
  | { do: 'leave' }
  | SpreadOrder
  | PersonalOrder

export interface CrowdReports {
  gather: { ms: number }
  'come-again': { ms: number }
  leave: undefined
  spread: { messages: number; deliveries: number; ms: number; payloadBytes: number }
  'send-personal': { sent: number; answer: Percentiles; arrival: Percentiles }
}

export interface Crowd {
  tell<Kind extends CrowdOrder['do']>(order: Extract<CrowdOrder, { do: Kind }>): Promise<CrowdReports[Kind]>
  end(): Promise<void>
}

/** The clients, in a process of their own. */
export async function startCrowd(): Promise<Crowd> {
  const { hear, send, end } = await startTold('crowd-process.ts')
  return {
    tell: (order) => {
      const report = hear()
      send(order)
      return report as never
    },
    end,
  }
}

interface Told {
  /** The next report. */
  hear(): Promise<unknown>
  send(order: object): void
  end(): Promise<void>
}

/** Starts a process beside this file that takes orders and reports. */
export async function startTold(script: string): Promise<Told> {
  const child = fork(join(import.meta.dirname, script))
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const end = async () => {
    child.kill()
    await exited
  }
  stopLater(end)
  const hear = () =>
    new Promise<unknown>((resolve, reject) => {
      const onExit = (code: number | null) => reject(new Error(`${script} ended with ${code}.`))
      child.once('exit', onExit)
      child.once('message', (told: { report?: unknown; fault?: string }) => {
        child.off('exit', onExit)
        if (told.fault === undefined) resolve(told.report)
        else reject(new Error(told.fault))
      })
    })
  await hear()
  return { hear, send: (order) => void child.send(order), end }
}
