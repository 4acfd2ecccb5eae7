import { expect, it } from 'vitest'
import type { Installation, InstallationChange } from '../installation.ts'
import { applyInstallationChanges } from './apply-installation-changes.ts'
import { readPatch } from './read-patch.ts'

let ids = 0

function change(body: Parameters<typeof readPatch>[0], id?: string, appId = 1): InstallationChange {
  const newId = id === undefined ? `new-${++ids}` : undefined
  const may = { mayLogIn: true, mayNameGuest: true, isVerified: false, hasUserHash: false }
  const base = { at: new Date(), begunAt: new Date(), guestId: `guest-${++ids}`, ...may }
  return { ...base, appId, id, newId, patch: readPatch(body) }
}

it('gives a token to whoever brings it last, in one batch and across', () => {
  const [first, second] = applyInstallationChanges(
    [],
    [change({ deviceType: 'ios', deviceToken: 'T' }), change({ deviceType: 'ios', deviceToken: 'U' })],
  ).answers as [Installation, Installation]
  const third = change({ deviceType: 'ios', deviceToken: 'T' })
  const { states } = applyInstallationChanges([first, second], [change({ deviceToken: 'T' }, second.id), third])
  expect([...states.values()].map((state) => [state.id, state.deviceToken])).toEqual([
    [first.id, undefined],
    [second.id, undefined],
    [third.newId, 'T'],
  ])
})

it('leaves the same token of another app alone', () => {
  const [mine] = applyInstallationChanges([], [change({ deviceType: 'ios', deviceToken: 'T' })]).answers as [
    Installation,
  ]
  const { states } = applyInstallationChanges([mine], [change({ deviceType: 'ios', deviceToken: 'T' }, undefined, 2)])
  expect([...states.values()].map((state) => state.deviceToken)).toEqual(['T', 'T'])
})

it('does not take from a holder who has another token by now', () => {
  const [holder] = applyInstallationChanges([], [change({ deviceType: 'ios', deviceToken: 'T' })]).answers as [
    Installation,
  ]
  const { states } = applyInstallationChanges(
    [holder],
    [change({ deviceToken: 'V' }, holder.id), change({ deviceType: 'ios', deviceToken: 'T' })],
  )
  expect(states.get(`1/${holder.id}`)?.deviceToken).toBe('V')
})

it('answers each change with the installation as that change left it', () => {
  const [stored] = applyInstallationChanges([], [change({ deviceType: 'ios', launchCount: 1 })]).answers as [
    Installation,
  ]
  const { answers, logins } = applyInstallationChanges(
    [stored],
    [
      change({ launchCount: 2 }, stored.id),
      change({ userId: 'ali' }, stored.id),
      change({ isGuest: true }, stored.id),
      change({}, 'nobody'),
    ],
  )
  expect(answers).toMatchObject([
    { launchCount: 2, isGuest: true },
    { userId: 'ali' },
    { isGuest: true, loginUserId: 'ali' },
    { code: 'not-found' },
  ])
  expect(logins).toEqual([{ appId: 1, userId: 'ali', key: `1/${stored.id}` }])
})
