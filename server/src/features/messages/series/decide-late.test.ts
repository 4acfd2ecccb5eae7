import { expect, it } from 'vitest'
import { decideLate } from './decide-late.ts'

const now = new Date('2026-11-18T09:00Z')
const due = (minutesAgo: number, isChanged = false) => {
  const at = new Date(now.getTime() - minutesAgo * 60_000)
  return { dueAt: at, occurrence: { seriesId: 'x', at, isChanged, isHeld: false } }
}
const minutesOf = (all: { dueAt: Date }[]) => all.map(({ dueAt }) => (now.getTime() - dueAt.getTime()) / 60_000)

it.each([
  ['one in time goes', [due(0)], [0], []],
  ['one that is late goes', [due(59)], [59], []],
  ['one that is an hour late was missed', [due(60)], [], [60]],
  ['the last one goes, and the others were missed', [due(200), due(140), due(20)], [20], [200, 140]],
  ['of two within the hour the last one goes', [due(45), due(15)], [15], [45]],
  ['those that somebody moved there go, too', [due(45, true), due(15)], [45, 15], []],
  ['one that was moved is missed as well', [due(90, true)], [], [90]],
])('%s', (_what, all, going, missed) => {
  const decided = decideLate(all, now)
  expect([minutesOf(decided.going), minutesOf(decided.missed)]).toEqual([going, missed])
})
