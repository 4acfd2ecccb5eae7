import packets, { type Packet } from 'mqtt-packet'
import type { Chance } from './chance.ts'
import { json } from './fuzzed-request.ts'
import { mutateBytes, mutateValue, splitBytes } from './mutate.ts'
import { nastyTexts, nastyValue } from './nasty.ts'
import type { World } from './world.ts'

/** What one client sends, from its first byte to its last. */
export interface MqttScript {
  isWebSocket: boolean
  /** It begins with a good CONNECT. */
  isLetIn: boolean
  writes: Buffer[]
  /** How many packets, good, spoilt or no packets at all, that is without the CONNECT that lets it in. */
  packets: number
}

const payloads: Record<string, unknown> = {
  track: { id: 'e-1', createdAt: 1_794_700_800_000, data: { value: 3, isRevenue: true, currency: 'EUR' } },
  event: { data: { typing: true } },
  publish: { content: 'hello', id: 'm-1', createdAt: 1_794_700_800_000 },
  state: 'foreground',
}

/** CONNECT as it should be, for two of three, and then whatever comes to mind. */
export function makeMqttScript(chance: Chance, world: World): MqttScript {
  const version = chance.pick([4, 5] as const)
  const device = chance.pick(world.devices)
  const isWebSocket = chance.is(0.4)
  const connect = generate(chance, version, {
    cmd: 'connect',
    protocolId: 'MQTT',
    protocolVersion: version,
    clientId: `${world.app.label}/${device.userId}/${device.id}`,
    username: world.app.clientKey,
    password: Buffer.from(world.app.clientKey),
    clean: chance.is(0.5),
    keepalive: chance.pick([0, 30, 65_535]),
  })
  if (chance.is(0.33)) {
    const first = chance.is(0.6) ? mutateBytes(chance, connect) : chance.bytes(chance.int(300))
    return { isWebSocket, isLetIn: false, writes: splitBytes(chance, first), packets: 1 }
  }
  // What is no packet ends the connection: it comes last, or nothing after it would be read.
  const made = [
    ...chance.list(5, 40, () => generate(chance, version, choosePacket(chance, world, device, false))),
    ...chance.list(0, 2, () => makeWildPacket(chance, world, version, device)),
  ]
  const all = chance.is(0.5) ? [connect, ...made] : [Buffer.concat([connect, ...made])]
  return { isWebSocket, isLetIn: true, writes: all.flatMap((bytes) => splitBytes(chance, bytes)), packets: made.length }
}

function makeWildPacket(chance: Chance, world: World, version: 4 | 5, device: { id: string; userId: string }): Buffer {
  if (chance.is(0.2)) return chance.bytes(1 + chance.int(100))
  if (chance.is(0.1)) return Buffer.concat([Buffer.from([0x30, 0xff, 0xff, 0xff, 0x7f]), chance.bytes(50)])
  const bytes = generate(chance, version, choosePacket(chance, world, device, true))
  return chance.is(0.5) ? mutateBytes(chance, bytes) : bytes
}

/** The wild ones are such that the service may end the connection for them. */
function choosePacket(chance: Chance, world: World, device: { id: string; userId: string }, isWild: boolean): Packet {
  const messageId = isWild && chance.is(0.1) ? 0 : 1 + chance.int(65_535)
  switch (chance.int(10)) {
    case 0:
      return {
        cmd: 'subscribe',
        messageId,
        subscriptions: chance.list(1, 3, () => ({
          topic: makeTopic(chance, world, device, ['user', 'event'], true),
          qos: chance.pick([0, 1, 2] as const),
        })),
      }
    case 1:
      return {
        cmd: 'unsubscribe',
        messageId,
        unsubscriptions: chance.list(1, 3, () => makeTopic(chance, world, device, ['user', 'event'], true)),
      }
    case 2:
      return { cmd: 'puback', messageId, ...(chance.is(0.3) && { reasonCode: chance.int(256) }) }
    case 3:
      if (!isWild) return { cmd: 'pingreq' }
      return chance.pick<Packet>([
        { cmd: 'pingreq' },
        { cmd: 'disconnect' },
        { cmd: 'pubrel', messageId },
        { cmd: 'pubrec', messageId },
        { cmd: 'pubcomp', messageId },
        { cmd: 'suback', messageId, granted: [0] },
        { cmd: 'pingresp' },
        { cmd: 'auth', reasonCode: 0x18 },
        { cmd: 'connect', protocolId: 'MQTT', protocolVersion: 4, clientId: 'again', clean: true, keepalive: 0 },
      ])
    default: {
      const kind = chance.pick(Object.keys(payloads))
      return {
        cmd: 'publish',
        topic: makeTopic(chance, world, device, [kind], isWild),
        payload: makePayload(chance, payloads[kind]),
        messageId,
        qos: isWild && chance.is(0.1) ? 2 : chance.pick([0, 1]),
        dup: chance.is(0.1),
        retain: chance.is(0.1),
      }
    }
  }
}

function makePayload(chance: Chance, example: unknown): Buffer {
  if (typeof example === 'string' && chance.is(0.5)) return Buffer.from(example)
  const kind = chance.next()
  if (kind < 0.2) return json(example)
  if (kind < 0.7) return json(mutateValue(chance, example))
  if (kind < 0.8) return mutateBytes(chance, json(example))
  return kind < 0.9 ? chance.bytes(chance.int(300)) : json(nastyValue(chance))
}

const defaultNames = ['default', 'opened', 'news', 'typing', 'a/b', '__proto__', 'x'.repeat(200), 'é']
const oddNames = ['+', '#', '', 'x'.repeat(300), '\u0000', '/']

function makeTopic(
  chance: Chance,
  world: World,
  device: { id: string; userId: string },
  kinds: string[],
  isWild: boolean,
): string {
  const kind = isWild && chance.is(0.1) ? chance.pick(['constructor', '', '$SYS', 'user']) : chance.pick(kinds)
  const label = isWild && chance.is(0.05) ? chance.pick([world.dryApp.label, '+', '']) : world.app.label
  const name = isWild && chance.is(0.4) ? chance.pick([...oddNames, chance.text(30)]) : chance.pick(defaultNames)
  const other = chance.pick(world.devices)
  const id =
    isWild && chance.is(0.2) ? chance.pick([other.id, '+', '#', chance.pick(nastyTexts).slice(0, 500)]) : device.id
  switch (kind) {
    case 'user':
      return `app/${label}/user/${chance.pick([device.userId, 'public', other.userId])}/${name}`
    case 'publish':
      return `app/${label}/publish/${chance.pick([other.userId, 'public', '*', name])}/${name}`
    case 'state':
      return `app/${label}/state/${id}`
    default:
      return `app/${label}/${kind}/${name}/${id}`
  }
}

function generate(chance: Chance, version: 4 | 5, packet: Packet): Buffer {
  try {
    return packets.generate(packet, { protocolVersion: version })
  } catch {
    // The library refuses to write it: then something else is sent.
    return chance.bytes(1 + chance.int(40))
  }
}
