import { describe, expect, it } from 'vitest'
import { seriesEn } from '../../texts/en/messages/series.ts'
import { createFormat } from '../../texts/format.ts'
import { describeRule } from './describe-rule.ts'

const sendAt = Date.parse('2026-11-19T06:30Z')
const say = (rule: string, zone = 'UTC') =>
  describeRule({ rule, zone }, sendAt, { words: seriesEn.words, format: createFormat('en'), locale: 'en' })

describe('a rule in words', () => {
  it.each([
    ['FREQ=HOURLY', 'Every hour'],
    ['FREQ=DAILY', 'Every day at 06:30'],
    ['FREQ=DAILY;INTERVAL=2', 'Every 2 days at 06:30'],
    ['FREQ=WEEKLY;BYDAY=MO,TH', 'Every week on Monday and Thursday at 06:30'],
    ['FREQ=MONTHLY;BYMONTHDAY=15', 'Every month on day 15 at 06:30'],
    ['FREQ=MONTHLY;BYMONTHDAY=-1', 'Every month on the last day at 06:30'],
    [
      'FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1',
      'Every month on day 31, or the last day of a shorter month at 06:30',
    ],
    ['FREQ=YEARLY', 'Every year at 06:30'],
    ['FREQ=WEEKLY;BYDAY=MO;WKST=SU', 'Every week on Monday at 06:30'],
  ])('%s is “%s”', (rule, words) => {
    expect(say(rule)).toBe(words)
  })

  it('has the time of its zone', () => {
    expect(say('FREQ=DAILY', 'Asia/Tehran')).toBe('Every day at 10:00')
  })

  it.each([
    'FREQ=MONTHLY;BYDAY=1MO',
    'FREQ=DAILY;BYHOUR=9',
    'FREQ=MONTHLY;BYMONTHDAY=1,15',
    'FREQ=MONTHLY;BYMONTHDAY=-2',
  ])('%s is shown as it is', (rule) => {
    expect(say(rule)).toBeUndefined()
  })
})
