import { Socket } from 'node:net'
import { expect, it } from 'vitest'
import { probeWhenSilent } from './probe-when-silent.ts'

class WatchedSocket extends Socket {
  delayMs = 0

  override setKeepAlive(_options: unknown, delayMs = 0): this {
    this.delayMs = delayMs
    return this
  }
}

it('does not ask all lines of a crowd in the same second', () => {
  const lines = 10_000
  const socket = new WatchedSocket()
  const bySecond = new Map<number, number>()
  for (let line = 0; line < lines; line++) {
    probeWhenSilent(socket)
    const second = Math.floor(socket.delayMs / 1_000)
    bySecond.set(second, (bySecond.get(second) ?? 0) + 1)
  }
  expect(Math.min(...bySecond.keys())).toBeGreaterThanOrEqual(60)
  expect(Math.max(...bySecond.keys())).toBeLessThanOrEqual(120)
  expect(Math.max(...bySecond.values())).toBeLessThan(lines / 20)
})
