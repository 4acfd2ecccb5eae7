import { describe, expect, it } from 'vitest'
import { timeOrderedId } from '#base/ids.ts'
import { InFlightWindow } from './in-flight-window.ts'

const connectedAt = new Date('2026-01-01T12:00:00Z')
const create = ({ receiveMaximum = 65_535, earlier = [] }: { receiveMaximum?: number; earlier?: string[] } = {}) =>
  new InFlightWindow({ receiveMaximum, connectedAt, past: { unacknowledged: earlier, endsAt: connectedAt } })
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
    const inFlightWindow = create()
    const id = idAt(1)
    const { packetId } = inFlightWindow.send(id)
    expect(inFlightWindow.unacknowledged).toEqual([id])
    expect(inFlightWindow.acknowledge(packetId)).toBe(id)
    expect(inFlightWindow.acknowledge(packetId)).toBeUndefined()
    // A connection that ends now cannot know whether the acknowledgement will be stored.
    expect([inFlightWindow.unacknowledged, inFlightWindow.without]).toEqual([[id], [id]])
    inFlightWindow.release(id)
    expect(inFlightWindow.unacknowledged).toEqual([])
    expect(inFlightWindow.holds(id)).toBe(false)
  })

  it('come again as such: after an earlier connection, and after a commit that failed', () => {
    const [known, fresh] = [idAt(-5), idAt(-4)]
    const inFlightWindow = create({ earlier: [known] })
    expect(inFlightWindow.send(known).isAgain).toBe(true)
    const { packetId, isAgain } = inFlightWindow.send(fresh)
    expect(isAgain).toBe(false)
    inFlightWindow.acknowledge(packetId)
    inFlightWindow.putBack(fresh)
    expect(inFlightWindow.mayHaveMore).toBe(true)
    expect(inFlightWindow.send(fresh).isAgain).toBe(true)
  })

  it('count as sent before when nobody knows and they are older than the end of the earlier connection', () => {
    const past = { unacknowledged: undefined, endsAt: connectedAt }
    const inFlightWindow = new InFlightWindow({ receiveMaximum: 10, connectedAt, past })
    expect(inFlightWindow.send(idAt(-1)).isAgain).toBe(true)
    expect(inFlightWindow.send(idAt(1)).isAgain).toBe(false)
  })

  it('count as sent before until the process that held the earlier connection says what it sent', () => {
    const past = { unacknowledged: undefined, endsAt: new Date(connectedAt.getTime() + 60_000) }
    const inFlightWindow = new InFlightWindow({ receiveMaximum: 10, connectedAt, past })
    expect(inFlightWindow.send(idAt(1)).isAgain).toBe(true)
    const sent = idAt(2)
    inFlightWindow.learnPast({ unacknowledged: [sent], endsAt: connectedAt })
    expect(inFlightWindow.send(sent).isAgain).toBe(true)
    expect(inFlightWindow.send(idAt(3)).isAgain).toBe(false)
    inFlightWindow.learnPast({ unacknowledged: undefined, endsAt: new Date(connectedAt.getTime() + 5_000) })
    expect(inFlightWindow.send(idAt(4)).isAgain).toBe(true)
    expect(inFlightWindow.send(idAt(6)).isAgain).toBe(false)
  })

  it('stay known to the next connection when this one did not come to them', () => {
    const [first, second] = [idAt(-5), idAt(-4)]
    const inFlightWindow = create({ earlier: [first, second] })
    inFlightWindow.send(first)
    expect(inFlightWindow.unacknowledged).toEqual([first, second])
    inFlightWindow.wasReadToTheEnd = true
    expect(inFlightWindow.unacknowledged).toEqual([first])
    const past = { unacknowledged: undefined, endsAt: connectedAt }
    const unknowing = new InFlightWindow({ receiveMaximum: 10, connectedAt, past })
    unknowing.send(first)
    expect(unknowing.unacknowledged).toBeUndefined()
    unknowing.wasReadToTheEnd = true
    expect(unknowing.unacknowledged).toEqual([first])
  })

  it('are not taken for acknowledged by what a client says of an earlier connection', () => {
    const firsts = Array.from({ length: 5 }, () => create().send(idAt(1)).packetId)
    expect(new Set(firsts).size).toBeGreaterThan(1)
  })

  it('never share a packet id', () => {
    const inFlightWindow = create()
    const first = inFlightWindow.send(idAt(0)).packetId
    const given = new Set<number>()
    for (let count = 1; count <= 70_000; count++) {
      const { packetId } = inFlightWindow.send(idAt(count))
      given.add(packetId)
      inFlightWindow.acknowledge(packetId)
    }
    expect(given.has(first)).toBe(false)
    expect([given.size, Math.min(...given) >= 1, Math.max(...given) <= 65_535]).toEqual([65_534, true, true])
  })
})
