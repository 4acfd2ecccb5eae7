import fc from 'fast-check'
import mqtt, { type IPublishPacket } from 'mqtt-packet'
import { expect, it } from 'vitest'
import { writePublish } from './write-publish.ts'

const lengths = [0, 1, 90, 110, 127, 128, 16_200, 16_383, 16_384, 200_000]

it('writes the bytes that mqtt-packet writes', () => {
  fc.assert(
    fc.property(
      fc.record({
        version: fc.constantFrom(4 as const, 5 as const),
        topic: fc.string({ minLength: 1, maxLength: 80, unit: 'grapheme' }),
        payload: fc.oneof(
          fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
          fc.constantFrom(...lengths).map((length) => Buffer.alloc(length, 'x')),
        ),
        packetId: fc.option(fc.integer({ min: 1, max: 0xffff }), { nil: undefined }),
        isAgain: fc.boolean(),
        expirySeconds: fc.integer({ min: 1, max: 0xffffffff }),
      }),
      (publication) => {
        const { version, topic, payload, packetId, isAgain, expirySeconds } = publication
        const packet: IPublishPacket = { cmd: 'publish', topic, payload, retain: false, dup: isAgain, qos: 0 }
        if (packetId !== undefined) Object.assign(packet, { qos: 1, messageId: packetId })
        if (version === 5) packet.properties = { messageExpiryInterval: expirySeconds }
        expect(writePublish(publication)).toEqual(mqtt.generate(packet, { protocolVersion: version }))
      },
    ),
  )
})
