import { expect, it } from 'vitest'
import { Agenda } from './agenda.ts'

/** An agenda on a clock that is put forward by hand. */
function makeAgenda(pace: number) {
  let now = 0
  let waiting: { at: number; then: () => void } | undefined
  const wait = (ms: number, then: () => void) => {
    const own = { at: now + ms, then }
    waiting = own
    return () => {
      if (waiting === own) waiting = undefined
    }
  }
  const agenda = new Agenda(pace, () => now, wait)
  const pass = (ms: number) => {
    const until = now + ms
    while (waiting && waiting.at <= until) {
      const { at, then } = waiting
      waiting = undefined
      now = at
      then()
    }
    now = until
  }
  return { agenda, pass, isWaiting: () => waiting !== undefined }
}

it.each([
  [1, 10_000],
  [10, 1_000],
  [0.5, 20_000],
])('at pace %d what is due after ten seconds is done after %d ms', (pace, ms) => {
  const { agenda, pass } = makeAgenda(pace)
  let isDone = false
  agenda.after(10_000, () => {
    isDone = true
  })
  pass(ms - 1)
  expect(isDone).toBe(false)
  pass(1)
  expect(isDone).toBe(true)
})

it('keeps the order of times, and of what is due at the same time', () => {
  const { agenda, pass } = makeAgenda(1)
  const done: string[] = []
  agenda.after(2_000, () => done.push('third'))
  agenda.after(1_000, () => done.push('first'))
  agenda.after(2_000, () => done.push('fourth'))
  agenda.after(1_000, () => {
    done.push('second')
    agenda.after(500, () => done.push('between'))
  })
  pass(3_000)
  expect(done).toEqual(['first', 'second', 'between', 'third', 'fourth'])
})

it('stands still at 0, and goes on from there', () => {
  const { agenda, pass, isWaiting } = makeAgenda(1)
  let isDone = false
  agenda.after(1_000, () => {
    isDone = true
  })
  pass(400)
  agenda.pace = 0
  expect(isWaiting()).toBe(false)
  pass(100_000)
  agenda.pace = 10
  pass(59)
  expect(isDone).toBe(false)
  pass(1)
  expect([isDone, agenda.length]).toEqual([true, 0])
})

it('does a few at a time when many are due, so that others have their turn', () => {
  const { agenda, pass } = makeAgenda(1)
  let done = 0
  for (let count = 0; count < 100; count++) agenda.after(1_000, () => done++)
  pass(1_000)
  expect(done).toBe(10)
  pass(1_000)
  expect(done).toBe(100)
})

it('does nothing more when it is cleared', () => {
  const { agenda, pass, isWaiting } = makeAgenda(1)
  agenda.after(1_000, () => expect.unreachable())
  agenda.clear()
  expect(isWaiting()).toBe(false)
  pass(2_000)
})
