import { generate, type Packet, parser } from 'mqtt-packet'
import { describe, expect, it } from 'vitest'
import { PacketStream } from './packet-stream.ts'
import {
  connectPacket,
  disconnectPacket,
  PacketError,
  pingPacket,
  pubackPacket,
  publishPacket,
  subscribePacket,
  unsubscribePacket,
} from './packets.ts'

/** A parser of others reads what we write, and their writer writes what we read. */
function readByOthers(bytes: Uint8Array): Packet {
  const packets: Packet[] = []
  const reader = parser({ protocolVersion: 4 })
  reader.on('packet', (packet) => packets.push(packet))
  reader.on('error', (error) => {
    throw error
  })
  reader.parse(Buffer.from(bytes))
  expect(packets).toHaveLength(1)
  return packets[0] as Packet
}

const read = (packet: Packet) => new PacketStream().read(generate(packet))
const publish = {
  cmd: 'publish' as const,
  topic: 'app/demo/user/ali/default',
  payload: '{"id":"سلام"}',
  qos: 1 as const,
  messageId: 40_000,
  dup: true,
  retain: false,
}

describe('what we write', () => {
  it('is a CONNECT of version 3.1.1 that keeps its session', () => {
    const bytes = connectPacket({ clientId: 'demo/علی/1', username: 'key', password: 'key', keepAliveSeconds: 90 })
    expect(readByOthers(bytes)).toMatchObject({
      cmd: 'connect',
      protocolId: 'MQTT',
      protocolVersion: 4,
      clean: false,
      clientId: 'demo/علی/1',
      keepalive: 90,
      username: 'key',
      password: Buffer.from('key'),
    })
  })

  it('is a SUBSCRIBE and an UNSUBSCRIBE of several topics', () => {
    expect(readByOthers(subscribePacket(7, ['a/b', 'c']))).toMatchObject({
      cmd: 'subscribe',
      messageId: 7,
      subscriptions: [
        { topic: 'a/b', qos: 1 },
        { topic: 'c', qos: 1 },
      ],
    })
    expect(readByOthers(unsubscribePacket(300, ['a/b', 'c']))).toMatchObject({
      cmd: 'unsubscribe',
      messageId: 300,
      unsubscriptions: ['a/b', 'c'],
    })
  })

  it('is a PUBLISH of QoS 0 or 1', () => {
    expect(readByOthers(publishPacket('a', 'متن'))).toMatchObject({ cmd: 'publish', qos: 0, topic: 'a', dup: false })
    const again = readByOthers(publishPacket('a', 'متن', 65_535, true))
    expect(again).toMatchObject({ qos: 1, messageId: 65_535, dup: true, payload: Buffer.from('متن') })
  })

  it.each([1, 127, 128, 16_383, 16_384, 100_000])('is a PUBLISH of %i bytes', (length) => {
    const { payload } = readByOthers(publishPacket('t', 'x'.repeat(length))) as { payload: Buffer }
    expect(payload).toHaveLength(length)
  })

  it('is a PUBACK, a ping and a DISCONNECT', () => {
    expect(readByOthers(pubackPacket(513))).toMatchObject({ cmd: 'puback', messageId: 513 })
    expect(readByOthers(pingPacket())).toMatchObject({ cmd: 'pingreq' })
    expect(readByOthers(disconnectPacket())).toMatchObject({ cmd: 'disconnect' })
  })
})

describe('what we read', () => {
  it('is all that a server says', () => {
    expect(read({ cmd: 'connack', returnCode: 0, sessionPresent: true })).toEqual([
      { kind: 'connack', isSessionPresent: true, code: 0 },
    ])
    expect(read({ cmd: 'connack', returnCode: 5, sessionPresent: false })).toMatchObject([{ code: 5 }])
    expect(read({ cmd: 'puback', messageId: 9 })).toEqual([{ kind: 'puback', packetId: 9 }])
    expect(read({ cmd: 'suback', messageId: 9, granted: [1, 128] })).toEqual([
      { kind: 'suback', packetId: 9, granted: [1, 128] },
    ])
    expect(read({ cmd: 'unsuback', messageId: 9 } as Packet)).toEqual([{ kind: 'unsuback', packetId: 9 }])
    expect(read({ cmd: 'pingresp' })).toEqual([{ kind: 'pingresp' }])
  })

  it('is a PUBLISH with its id and whether it came before', () => {
    const [packet] = read(publish)
    expect(packet).toMatchObject({ kind: 'publish', topic: publish.topic, qos: 1, isAgain: true, packetId: 40_000 })
    expect(new TextDecoder().decode((packet as { payload: Uint8Array }).payload)).toBe(publish.payload)
    expect(read({ ...publish, qos: 0, dup: false })).toMatchObject([{ qos: 0, packetId: 0, isAgain: false }])
  })

  it('is the same wherever the stream is cut', () => {
    const bytes = Uint8Array.from(
      Buffer.concat([
        generate({ cmd: 'connack', returnCode: 0, sessionPresent: false }),
        generate(publish),
        generate({ ...publish, payload: 'x'.repeat(300) }),
        generate({ cmd: 'pingresp' }),
      ]),
    )
    const whole = new PacketStream().read(bytes)
    expect(whole.map(({ kind }) => kind)).toEqual(['connack', 'publish', 'publish', 'pingresp'])
    for (let cut = 0; cut <= bytes.length; cut++) {
      const stream = new PacketStream()
      expect([...stream.read(bytes.subarray(0, cut)), ...stream.read(bytes.subarray(cut))]).toEqual(whole)
    }
    const stream = new PacketStream()
    expect([...bytes].flatMap((byte) => stream.read(Uint8Array.of(byte)))).toEqual(whole)
  })

  it.each([
    ['a length of five bytes', [0x30, 0xff, 0xff, 0xff, 0xff, 0x01]],
    ['a packet of 200 MB', [0x30, 0xff, 0xff, 0xff, 0x60]],
    ['a topic longer than its packet', [0x30, 3, 0, 9, 65]],
    ['a CONNACK without its code', [0x20, 1, 0]],
    ['QoS 2', [0x34, 5, 0, 1, 65, 0, 1]],
    ['a topic that is no UTF-8', [0x30, 3, 0, 1, 0xff]],
    ['a packet that only clients send', [0x10, 0]],
  ])('is refused when it is %s', (_, bytes) => {
    expect(() => new PacketStream().read(Uint8Array.from(bytes))).toThrow(PacketError)
  })
})
