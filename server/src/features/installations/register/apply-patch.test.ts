import { describe, expect, it } from 'vitest'
import { RequestError } from '#base/errors.ts'
import type { Installation, InstallationChange } from '../installation.ts'
import { applyPatch } from './apply-patch.ts'
import { readPatch } from './read-patch.ts'

const at = new Date('2026-11-15T12:00:00Z')
const earlier = new Date('2026-11-01T00:00:00Z')

function change(body: Parameters<typeof readPatch>[0], more: Partial<InstallationChange> = {}): InstallationChange {
  const may = { mayLogIn: true, mayNameGuest: true, isVerified: false, hasUserHash: false }
  return {
    appId: 1,
    id: 'known',
    newId: 'new',
    at,
    begunAt: at,
    patch: readPatch(body),
    guestId: 'guest-made',
    ...may,
    ...more,
  }
}

function after(
  before: Installation | undefined,
  body: Parameters<typeof readPatch>[0],
  more: Partial<InstallationChange> = {},
) {
  const applied = applyPatch(before, change(body, more))
  if (applied instanceof RequestError) throw applied
  return applied
}

const guest = after(undefined, { deviceType: 'web' }, { at: earlier, guestId: 'guest-1' }).installation
const registered = after(undefined, { deviceType: 'web', userId: 'ali' }, { at: earlier }).installation

describe('who an installation belongs to', () => {
  it.each([
    ['a registration without a user', undefined, {}, 'guest-made', true],
    ['a registration with a user', undefined, { userId: 'ali' }, 'ali', false],
    ['a registration of a guest with an own id', undefined, { userId: 'g7', isGuest: true }, 'g7', true],
    ['an empty user id', undefined, { userId: '' }, 'guest-made', true],
    ['a login of a guest', guest, { userId: 'ali' }, 'ali', false],
    ['a login that says a wrong isLoggedIn', guest, { userId: 'ali', isGuest: false, isLoggedIn: false }, 'ali', false],
    ['a guest that repeats its id', guest, { userId: 'guest-1' }, 'guest-1', true],
    ['a guest that becomes registered under its id', guest, { userId: 'guest-1', isGuest: false }, 'guest-1', false],
    ['a guest that says so again', guest, { isGuest: true }, 'guest-1', true],
    ['a logout', registered, { isGuest: true }, 'guest-made', true],
    ['a logout that repeats the user', registered, { userId: 'ali', isGuest: true }, 'guest-made', true],
    ['a logout to a guest id of the client', registered, { userId: 'g7', isGuest: true }, 'g7', true],
    ['an update that says nothing of it', registered, { language: 'fa' }, 'ali', false],
    ['isGuest false without a user', registered, { isGuest: false }, 'ali', false],
    ['another login', registered, { userId: 'sara' }, 'sara', false],
  ])('%s', (_, before, body, userId, isGuest) => {
    const { installation } = after(before, { deviceType: 'web', ...body })
    expect(installation).toMatchObject({ userId, isGuest })
  })

  it('stays remembered through logout', () => {
    const out = after(registered, { isGuest: true }).installation
    expect(out).toMatchObject({ isGuest: true, loginUserId: 'ali', loggedInAt: earlier })
  })

  it('moves the time of login only when somebody logs in', () => {
    expect(after(registered, { userId: 'ali' })).toMatchObject({
      isLogin: false,
      installation: { loggedInAt: earlier },
    })
    expect(after(registered, { userId: 'sara' })).toMatchObject({
      isLogin: true,
      installation: { loggedInAt: at, loginUserId: 'sara' },
    })
  })
})

describe('when the app verifies identities', () => {
  const unverified = { mayLogIn: false, mayNameGuest: false }

  it.each([
    ['registration', undefined],
    ['update', guest],
    ['change of user', { ...registered, userId: 'sara' }],
  ])('an unverified login by %s is refused', (_, before) => {
    expect(applyPatch(before, change({ deviceType: 'web', userId: 'ali' }, unverified))).toMatchObject({
      code: 'identity-unverified',
    })
  })

  it('an installation that is logged in goes on without a hash', () => {
    expect(after(registered, { userId: 'ali', launchCount: 2 }, unverified).installation.launchCount).toBe(2)
  })

  it.each([
    ['a login with a hash', guest, { userId: 'ali' }, { isVerified: true, hasUserHash: true }, true],
    ['a guest that we name', registered, { isGuest: true }, { isVerified: true }, true],
    ['who was logged in before', registered, { userId: 'ali' }, { isVerified: true }, false],
    ['who shows the hash later', registered, { userId: 'ali' }, { isVerified: true, hasUserHash: true }, true],
    ['who was verified', { ...registered, isVerified: true }, { language: 'fa' }, {}, true],
    ['another user, unverified', { ...registered, isVerified: true }, { userId: 'sara' }, {}, false],
  ])('it is known whose the installation is, of %s', (_, before, body, more, expected) => {
    expect(after(before, body, more).installation.isVerified).toBe(expected)
  })

  it('a guest id is not the client’s choice', () => {
    expect(
      after(undefined, { deviceType: 'web', userId: 'victim', isGuest: true }, unverified).installation.userId,
    ).toBe('guest-made')
    expect(after(guest, { userId: 'victim', isGuest: true }, unverified).installation.userId).toBe('guest-1')
  })
})

describe('a visit', () => {
  const stored = after(undefined, { deviceType: 'web', launchCount: 5 }, { at: earlier }).installation

  it.each([
    [{ launchCount: 6 }, 6, at],
    [{ launchCount: 9, launchTime: Date.parse('2026-11-10T00:00:00Z') }, 9, new Date('2026-11-10T00:00:00Z')],
    [{ launchCount: 6, launchTime: Date.parse('2030-01-01') }, 6, at],
    [{ launchCount: 6, launchTime: 0 }, 6, at],
    [{ launchCount: 6, launchTime: Date.parse('2026-10-01T00:00:00Z') }, 6, earlier],
    [{ launchCount: 5, launchTime: Number(at) }, 5, earlier],
    [{ launchCount: 4 }, 5, earlier],
    [{ launchTime: Number(at) }, 5, earlier],
  ])('%j leaves the count at %i', (body, launchCount, launchedAt) => {
    expect(after(stored, body).installation).toMatchObject({ launchCount, launchedAt })
  })
})

describe('what a client sends', () => {
  it('is kept when it is not known, and merged with what was kept before', () => {
    const before = after(undefined, { deviceType: 'web', deviceModel: 'X', colour: 'red' } as never).installation
    expect(after(before, { colour: 'blue', nested: { a: [1] } } as never).installation.details).toEqual({
      deviceModel: 'X',
      colour: 'blue',
      nested: { a: [1] },
    })
  })

  it('never keeps the hash, the app, the id or what is only ours to say', () => {
    const body = {
      deviceType: 'web',
      userHash: 'x',
      appId: 'other',
      id: 'mine',
      uninstalled: true,
      userInfo: { a: 1 },
      tags: ['x'],
    }
    expect(after(undefined, body as never).installation.details).toEqual({})
  })

  it('changes nothing when it is the same again', () => {
    const body = { deviceType: 'web', deviceModel: 'X', deviceToken: 't', subscriptions: ['public/a'] }
    const before = after(undefined, body, { at: earlier }).installation
    const again = after(before, body).installation
    expect(again).toEqual(before)
    expect(again.details).toBe(before.details)
  })

  it('is refused when the further fields grow without end', () => {
    expect(applyPatch(registered, change({ blob: 'x'.repeat(70_000) } as never))).toMatchObject({ code: 'too-large' })
  })

  it('installs again what was uninstalled', () => {
    expect(after({ ...registered, uninstalledAt: earlier }, {}).installation.uninstalledAt).toBeUndefined()
  })

  it.each([
    ['in seconds', 1_700_000_000, 1_700_000_000_000],
    ['as an ISO date', '2026-01-02T03:04:05Z', Date.parse('2026-01-02T03:04:05Z')],
    ['in the future', 4_000_000_000_000, Number(at)],
    ['before there were phones', 1, Number(at)],
  ])('may give the install date %s', (_, installDate, expected) => {
    expect(Number(after(undefined, { deviceType: 'web', installDate }).installation.installedAt)).toBe(expected)
  })

  it('is refused when a date cannot be read', () => {
    expect(() => readPatch({ installDate: 'last week' })).toThrow('"installDate": expected epoch milliseconds')
  })
})
