import { randomInt } from 'node:crypto'
import { type AddressInfo, createServer } from 'node:net'
import type { Config } from '#base/config.ts'
import { hasPart } from '#entry/roles.ts'
import { listen } from '../listen.ts'

export interface Ports {
  host: string
  port: number
  mqttPort: number
  /** Which the host is. */
  address: string
}

/** Finds out before anything is built whether the ports are free, and which they are where any will do. */
export async function reservePorts({ host, port, mqttPort, roles }: Config): Promise<Ports> {
  const http = await tryPort(host, port, 'PEYK_PORT')
  if (!hasPart(roles, 'live-connections')) return { ...http, mqttPort }
  const mqtt = await tryPort(http.host, mqttPort, 'PEYK_MQTT_PORT')
  return { ...http, mqttPort: mqtt.port }
}

/** Nobody else comes upon these: systems give higher ones to who connects or listens anywhere. */
const [lowestOfAny, aboveAny] = [20_000, 32_768]
const mostTries = 20

async function tryPort(host: string, port: number, variable: string): Promise<Omit<Ports, 'mqttPort'>> {
  if (port !== 0) return tryOne(host, port, variable)
  for (let tries = 1; ; tries++) {
    try {
      return await tryOne(host, randomInt(lowestOfAny, aboveAny), variable)
    } catch (error) {
      if (tries >= mostTries) throw error
    }
  }
}

async function tryOne(host: string, port: number, variable: string): Promise<Omit<Ports, 'mqttPort'>> {
  const server = createServer()
  let used = host
  const trying = {
    server,
    listen: (at: { host: string; port: number }) =>
      new Promise<string>((resolve, reject) => {
        used = at.host
        server.once('error', reject)
        server.listen({ ...at, exclusive: true }, () => resolve(at.host))
      }),
  }
  await listen(trying, { host, port }, variable)
  const found = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return { host: used, port: found.port, address: found.address }
}
