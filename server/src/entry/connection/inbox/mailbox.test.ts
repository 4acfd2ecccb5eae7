import { describe, expect, it } from 'vitest'
import { timeOrderedId } from '../../../base/ids.ts'
import { Mailbox } from './mailbox.ts'

const connectedAt = new Date('2026-01-01T12:00:00Z')
const create = (options: { receiveMaximum?: number; earlier?: string[] | undefined } = {}) =>
  new Mailbox({ receiveMaximum: 65_535, connectedAt, earlier: [], ...options })
const idAt = (seconds: number) => timeOrderedId(connectedAt.getTime() + seconds * 1_000)

describe('the messages on their way to a client', () => {
  it('have room for the window, or for what the client takes', () => {
    expect(create().room).toBe(32)
    const small = create({ receiveMaximum: 2 })
    const { packetId } = small.send(idAt(1))
    small.send(idAt(2))
    expect(small.room).toBe(0)
    expect(small.acknowledge(packetId)).toBeDefined()
    expect(small.room).toBe(1)
  })

  it('are held from the inbox until their acknowledgement is committed', () => {
    const mailbox = create()
    const id = idAt(1)
    const { packetId } = mailbox.send(id)
    expect(mailbox.unacknowledged).toEqual([id])
    expect(mailbox.acknowledge(packetId)).toBe(id)
    expect(mailbox.acknowledge(packetId)).toBeUndefined()
    expect([mailbox.unacknowledged, mailbox.without]).toEqual([[], [id]])
    mailbox.release(id)
    expect(mailbox.holds(id)).toBe(false)
  })

  it('come again as such: after an earlier connection, and after a commit that failed', () => {
    const [known, fresh] = [idAt(-5), idAt(-4)]
    const mailbox = create({ earlier: [known] })
    expect(mailbox.send(known).isAgain).toBe(true)
    const { packetId, isAgain } = mailbox.send(fresh)
    expect(isAgain).toBe(false)
    mailbox.acknowledge(packetId)
    mailbox.putBack(fresh)
    expect(mailbox.mayHaveMore).toBe(true)
    expect(mailbox.send(fresh).isAgain).toBe(true)
  })

  it('count as sent before when nobody knows and they are older than the connection', () => {
    const mailbox = create({ earlier: undefined })
    expect(mailbox.send(idAt(-1)).isAgain).toBe(true)
    expect(mailbox.send(idAt(1)).isAgain).toBe(false)
  })

  it('are not taken for acknowledged by what a client says of an earlier connection', () => {
    const firsts = Array.from({ length: 5 }, () => create().send(idAt(1)).packetId)
    expect(new Set(firsts).size).toBeGreaterThan(1)
  })

  it('never share a packet id', () => {
    const mailbox = create()
    const first = mailbox.send(idAt(0)).packetId
    const given = new Set<number>()
    for (let count = 1; count <= 70_000; count++) {
      const { packetId } = mailbox.send(idAt(count))
      given.add(packetId)
      mailbox.acknowledge(packetId)
    }
    expect(given.has(first)).toBe(false)
    expect([given.size, Math.min(...given) >= 1, Math.max(...given) <= 65_535]).toEqual([65_534, true, true])
  })
})
