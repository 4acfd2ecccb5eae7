import { expect, it } from 'vitest'
import { byUser } from './by-user.ts'

const row = (userId: string, deviceType: string, launchTime: number) => ({
  ...{ userId, deviceType, launchTime },
  ...{ installationId: `${userId} ${deviceType} ${launchTime}`, isGuest: false },
})

it('a user with several devices is one line, of the last visit', () => {
  const found = byUser([row('sara', 'ios', 1), row('omid', 'web', 5), row('sara', 'android', 3), row('sara', 'ios', 2)])
  expect(found.map(({ row: { userId, launchTime }, deviceTypes }) => [userId, launchTime, deviceTypes])).toEqual([
    ['sara', 3, ['ios', 'android']],
    ['omid', 5, ['web']],
  ])
})
