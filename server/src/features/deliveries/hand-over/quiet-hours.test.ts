import { describe, expect, it } from 'vitest'
import { quietUntil } from './quiet-hours.ts'

const night = { from: '22:00', to: '08:00' }
const noon = { from: '12:00', to: '14:30' }

describe('quiet hours', () => {
  it.each([
    ['before they begin', '2026-11-18T21:59:59.999', 'UTC', night, undefined],
    ['at their beginning', '2026-11-18T22:00Z', 'UTC', night, '2026-11-19T08:00Z'],
    ['after midnight', '2026-11-19T03:00Z', 'UTC', night, '2026-11-19T08:00Z'],
    ['a moment before their end', '2026-11-19T07:59:59.999Z', 'UTC', night, '2026-11-19T08:00Z'],
    ['at their end', '2026-11-19T08:00Z', 'UTC', night, undefined],
    ['within a day', '2026-11-18T13:00Z', 'UTC', noon, '2026-11-18T14:30Z'],
    ['before those within a day', '2026-11-18T11:00Z', 'UTC', noon, undefined],
    ['after those within a day', '2026-11-18T14:30Z', 'UTC', noon, undefined],
    ['on the clock of Tehran', '2026-11-18T19:00Z', 'Asia/Tehran', night, '2026-11-19T04:30Z'],
    ['on the clock of Tehran, not at night', '2026-11-18T18:00Z', 'Asia/Tehran', night, undefined],
    // Summer time began in the night of 21 to 22 March 2022 in Tehran.
    ['when Tehran had summer time', '2022-03-21T20:00Z', 'Asia/Tehran', night, '2022-03-22T03:30Z'],
    ['in the night clocks go forward in Berlin', '2026-03-28T22:00Z', 'Europe/Berlin', night, '2026-03-29T06:00Z'],
    ['in the night clocks go back in Berlin', '2026-10-24T21:00Z', 'Europe/Berlin', night, '2026-10-25T07:00Z'],
    ['in the night clocks go forward in New York', '2026-03-08T04:00Z', 'America/New_York', night, '2026-03-08T12:00Z'],
    ['in the night clocks go back in New York', '2026-11-01T03:00Z', 'America/New_York', night, '2026-11-01T13:00Z'],
    [
      'in the night Lord Howe goes back by half an hour',
      '2026-04-04T12:00Z',
      'Australia/Lord_Howe',
      night,
      '2026-04-04T21:30Z',
    ],
    // 30 December 2011 did not exist in Apia.
    ['over the day that Apia skipped', '2011-12-30T09:00Z', 'Pacific/Apia', night, '2011-12-30T18:00Z'],
    [
      'that end in the hour that is skipped',
      '2026-03-29T00:30Z',
      'Europe/Berlin',
      { from: '22:00', to: '02:30' },
      '2026-03-29T01:30Z',
    ],
  ])('%s', (_what, at, zone, hours, end) => {
    const moment = new Date(at.endsWith('Z') ? at : `${at}Z`)
    expect(quietUntil(moment, zone, hours)).toEqual(end === undefined ? undefined : new Date(end))
  })
})
