import packets, { type Packet } from 'mqtt-packet'
import { expect, it, onTestFinished, vi } from 'vitest'
import { PacketReader } from './packet-reader.ts'

function createReader() {
  const read: Packet[] = []
  const faults: string[] = []
  const reader = new PacketReader({
    onPacket: (packet) => read.push(packet),
    onMalformed: (error) => faults.push(error.message),
  })
  return { reader, read, faults }
}

const connect = (protocolVersion: 4 | 5, clientId: string) =>
  packets.generate({ cmd: 'connect', clientId, protocolId: 'MQTT', protocolVersion, clean: true, keepalive: 30 })
const puback = (messageId: number) => Buffer.from([0x40, 2, messageId >> 8, messageId & 255])
const publish = (protocolVersion: 4 | 5, text: string) =>
  packets.generate(
    { cmd: 'publish', topic: 'app/x', payload: text, qos: 1, messageId: 7, dup: false, retain: false },
    { protocolVersion },
  )
const pingreq = packets.generate({ cmd: 'pingreq' })

function tell(packet: Packet): string {
  if (packet.cmd === 'puback') return `puback ${packet.messageId}`
  if (packet.cmd === 'publish') return `publish ${packet.payload}`
  return packet.cmd === 'connect' ? `connect ${packet.clientId}` : packet.cmd
}

const stream = (version: 4 | 5) => [
  connect(version, 'a/b/c'),
  puback(1),
  puback(258),
  publish(version, 'hello'),
  puback(3),
  pingreq,
  puback(4),
  puback(5),
]
const told = ['connect a/b/c', 'puback 1', 'puback 258', 'publish hello', 'puback 3', 'pingreq', 'puback 4', 'puback 5']

it.each([4, 5] as const)('reads the same packets of version %i wherever the bytes are cut', (version) => {
  const bytes = Buffer.concat(stream(version))
  for (let cut = 0; cut <= bytes.length; cut++) {
    const { reader, read, faults } = createReader()
    for (const part of [bytes.subarray(0, cut), bytes.subarray(cut)]) reader.read(part)
    expect([read.map(tell), faults]).toEqual([told, []])
    expect(reader.expectedBytes).toBe(0)
  }
})

it('reads byte by byte', () => {
  const { reader, read } = createReader()
  for (const byte of Buffer.concat(stream(5))) reader.read(Buffer.from([byte]))
  expect(read.map(tell)).toEqual(told)
})

it('keeps connections apart that are in the midst of a packet at the same time', () => {
  const readers = [4, 5, 4, 5].map((version) => ({ version: version as 4 | 5, ...createReader() }))
  const streams = readers.map(({ version }) => Buffer.concat(stream(version)))
  for (let at = 0; at < Math.max(...streams.map(({ length }) => length)); at += 3) {
    for (const [index, { reader }] of readers.entries()) reader.read((streams[index] as Buffer).subarray(at, at + 3))
  }
  for (const { read, faults } of readers) expect([read.map(tell), faults]).toEqual([told, []])
})

it('says how long a packet will be before it is there', () => {
  const { reader } = createReader()
  reader.read(publish(4, 'x'.repeat(50_000)).subarray(0, 10))
  expect(reader.expectedBytes).toBeGreaterThan(50_000)
})

it('tells of malformed bytes, which leave the next connection alone', () => {
  const broken = createReader()
  broken.reader.read(Buffer.from([0x36, 2, 0, 0]))
  expect(broken.faults).toHaveLength(1)
  const next = createReader()
  next.reader.read(Buffer.concat(stream(4)))
  expect([next.read.map(tell), next.faults]).toEqual([told, []])
})

it('reads nothing after its end', () => {
  const { reader, read } = createReader()
  const bytes = connect(4, 'a/b/c')
  reader.read(bytes.subarray(0, 5))
  reader.end()
  reader.read(bytes.subarray(5))
  reader.read(puback(1))
  expect(read).toEqual([])
})

it('puts a packet together once, however many pieces it came in', () => {
  const subscriptions = Array.from({ length: 50 }, (_, at) => ({ topic: `topic/${at}`, qos: 1 as const }))
  const bytes = packets.generate({ cmd: 'subscribe', messageId: 1, subscriptions })
  const { reader, read } = createReader()
  const concat = vi.spyOn(Buffer, 'concat')
  onTestFinished(() => concat.mockRestore())
  for (let at = 0; at < bytes.length; at++) reader.read(bytes.subarray(at, at + 1))
  expect(read).toMatchObject([{ cmd: 'subscribe', subscriptions: subscriptions.map(({ topic }) => ({ topic })) }])
  expect(concat).toHaveBeenCalledTimes(1)
})
