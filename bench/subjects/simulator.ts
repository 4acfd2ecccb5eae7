import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SimulatedProviders, SimulatedTokens } from '@peyk/simulator'
import type { KeptState } from '@peyk/simulator/kept-state.ts'
import { makeTemporaryFolder } from '../measure/cluster.ts'
import { findFreePort, startProcess } from '../measure/process.ts'
import { peykCommand } from './peyk.ts'

export interface RunningSimulator {
  url: string
  providers: SimulatedProviders
  /** Its key and certificate as PEM, for fakes that the service is to trust too. */
  tls: { key: string; certificate: string }
  /** From now on each push to FCM is answered so much later. */
  delayFcm(ms: number): Promise<void>
  makeTokens(provider: 'fcm' | 'webpush', count: number): Promise<string[]>
}

const tokensPerCall = 20_000

/** Our own providers, in a process of their own. They write nothing down: that would be their cost, not the sender's. */
export async function startSimulator(): Promise<RunningSimulator> {
  const port = await findFreePort()
  const dataFolder = await makeTemporaryFolder()
  const { url } = await startProcess({
    name: 'The simulator',
    args: [peykCommand, 'simulator'],
    port,
    readyPath: '/',
    env: { PEYK_SIMULATOR_PORT: String(port), PEYK_DATA: dataFolder },
  })
  await call(url, 'PUT', '/record', { mode: 'none' })
  const state = JSON.parse(await readFile(join(dataFolder, 'simulator.json'), 'utf8')) as KeptState
  return {
    url,
    tls: state.keys.tls,
    providers: await call<SimulatedProviders>(url, 'GET', '/providers'),
    delayFcm: (delayMs) => call(url, 'PUT', '/faults/fcm', { rules: delayMs > 0 ? [{ delayMs }] : [] }),
    async makeTokens(provider, count) {
      const made: string[] = []
      while (made.length < count) {
        const wanted = { provider, count: Math.min(tokensPerCall, count - made.length) }
        made.push(...(await call<SimulatedTokens>(url, 'POST', '/tokens', wanted)).tokens)
      }
      return made
    },
  }
}

async function call<Answer>(url: string, method: string, path: string, body?: object): Promise<Answer> {
  const init = body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const response = await fetch(url + path, { method, ...init })
  const text = await response.text()
  if (!response.ok) throw new Error(`The simulator answered ${method} ${path} with ${response.status} ${text}`)
  return JSON.parse(text) as Answer
}
