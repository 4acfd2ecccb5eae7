import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createControlServer } from './control/control-server.ts'
import { Crowd } from './crowd/crowd.ts'
import { portIfFree } from './free-port.ts'
import { type KeptState, loadState } from './kept-state.ts'
import { addressOf, createSubscriber } from './phone-subscriber.ts'
import type { Service } from './phones/call-service.ts'
import { Phones } from './phones/phones.ts'
import { type Providers, serverNames, startProviders } from './providers/start-providers.ts'
import { StateFile } from './state-file.ts'

export type { SimulatedProviders } from './control/describe-providers.ts'
export type { SimulatedTokens } from './control/provider-acts.ts'
export type { CrowdView } from './crowd/crowd-state.ts'
export type { PhoneView, ReceivedMessage, ShownNotification } from './phones/phone-state.ts'
export type { FaultRule, FaultTarget } from './providers/fault-rule.ts'
export type { ReceivedPush } from './providers/record.ts'

export interface SimulatorOptions {
  /** Of the control API. 0: the one it had before if that is free, else any. */
  port?: number
  host?: string
  /** Without it nothing is remembered. */
  stateFile?: string
  /** Where phones register; can be said later. */
  service?: Service
  /** How many pushes are remembered in full; 10,000 by default. */
  recordSize?: number
  /** What went wrong without anybody waiting for it. */
  onFault?(error: Error): void
}

export interface Simulator {
  /** Of the control API. */
  url: string
  providers: Providers
  phones: Phones
  crowd: Crowd
  useService(service: Service): void
  close(): Promise<void>
}

/** Another process has the same state file open. */
export class SimulatorRunsAlready extends Error {
  readonly url: string

  constructor(url: string) {
    super(`A simulator with this state runs already at ${url}.`)
    this.url = url
  }
}

const loopback = '127.0.0.1'
const ownPatienceMs = 60_000
const strangerPatienceMs = 1_000

/** The simulated providers, the virtual phones, the crowd and the API to all of them. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const { host = loopback, stateFile, recordSize, onFault = () => undefined } = options
  const kept = await loadState(stateFile)
  await refuseSecond(kept, host)
  const { keys, dead } = kept
  const ports = await freePorts(kept, host)
  const providers = await startProviders({ host, keys, dead, ports, ...(recordSize && { recordSize }) })
  const { tokens } = providers
  let service = options.service ?? kept.service
  const stored = async () => file?.kept()
  const subscriber = createSubscriber(tokens)
  const phones = new Phones({ kept: kept.phones, subscriber, service, stored })
  const crowd = new Crowd({ kept: kept.crowd, subscriber, service, onChange: () => file?.changed() })

  const useService = (next: Service) => {
    service = next
    phones.useService(next)
    crowd.useService(next)
    file?.changed()
  }
  const control = createControlServer({ providers, phones, crowd, useService, stored }, host)
  try {
    control.listen(options.port || (await portIfFree(kept.ports.control, host)), host)
    await once(control, 'listening')
  } catch (error) {
    await providers.close()
    throw error
  }
  const { port } = control.address() as AddressInfo
  let closing: Promise<void> | undefined

  const snapshot = (): KeptState => ({
    version: 1,
    keys,
    ports: { ...providers.ports, control: port },
    dead: tokens.listDead(),
    service,
    phones: phones.states(),
    crowd: crowd.kept(),
    ...(!closing && { pid: process.pid }),
  })
  const file = stateFile === undefined ? undefined : new StateFile(stateFile, snapshot, onFault)
  const stopKeeping = phones.watch(() => file?.changed())
  tokens.onDeadChange(() => file?.changed())
  providers.onTaken(({ provider, tokenId, pushId, payload, expiresAt, collapseKey }) => {
    const address = addressOf(provider, tokenId)
    const push = { pushId, content: payload, expiresAt, collapseKey }
    if (!phones.arrive(address, push)) crowd.arrive(address, push)
  })
  file?.changed()
  await file?.flush()
  if (kept.ports.webPush !== undefined && kept.ports.webPush !== providers.ports.webPush) {
    phones.subscribeBrowsersAgain()
    crowd.subscribeBrowsersAgain()
  }
  if (options.service) useService(options.service)
  else {
    phones.resume()
    crowd.resume()
  }

  const close = async () => {
    phones.close()
    crowd.close()
    stopKeeping()
    const closed = once(control, 'close')
    control.close()
    control.closeAllConnections()
    await Promise.all([closed, providers.close()])
    file?.changed()
    await file?.flush()
  }
  return {
    url: urlOf(host, port),
    providers,
    phones,
    crowd,
    useService,
    close() {
      closing ??= close()
      return closing
    },
  }
}

/**
 * Two simulators on one file would each undo what the other remembers. One whose process is there is given time to answer:
 * the machine may be busy. Anybody else who has its port is a stranger.
 */
async function refuseSecond({ keys, ports, pid }: KeptState, host: string): Promise<void> {
  if (ports.control === undefined) return
  const url = urlOf(host, ports.control)
  const signal = AbortSignal.timeout(pid !== undefined && isAlive(pid) ? ownPatienceMs : strangerPatienceMs)
  const answer = await fetch(`${url}/providers`, { signal })
    .then((response) => response.json() as Promise<{ credentials?: { fcm?: { private_key_id?: string } } }>)
    .catch(() => undefined)
  if (answer?.credentials?.fcm?.private_key_id === keys.fcm.privateKeyId) throw new SimulatorRunsAlready(url)
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function urlOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

async function freePorts({ ports }: KeptState, host: string) {
  const free: Partial<Record<(typeof serverNames)[number], number>> = {}
  for (const name of serverNames) free[name] = await portIfFree(ports[name], host)
  return free
}
