import { describe, expect, it } from 'vitest'
import { readRule } from './read-rule.ts'

describe('a rule', () => {
  it.each([
    ['FREQ=DAILY', 'FREQ=DAILY'],
    ['RRULE:FREQ=WEEKLY;BYDAY=MO,TH', 'FREQ=WEEKLY;BYDAY=MO,TH'],
    [' freq=weekly;byday=mo;wkst=su; ', 'FREQ=WEEKLY;BYDAY=MO;WKST=SU'],
    ['FREQ=MONTHLY;INTERVAL=1;BYMONTHDAY=-1', 'FREQ=MONTHLY;BYMONTHDAY=-1'],
    ['FREQ=MONTHLY;INTERVAL=02;BYDAY=+1MO,1MO,-1FR', 'FREQ=MONTHLY;INTERVAL=2;BYDAY=1MO,-1FR'],
    ['FREQ=YEARLY;BYMONTH=3,3,9;BYMONTHDAY=21', 'FREQ=YEARLY;BYMONTH=3,9;BYMONTHDAY=21'],
    ['FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO', 'FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO'],
    ['FREQ=HOURLY;BYHOUR=9,12;BYMINUTE=30', 'FREQ=HOURLY;BYHOUR=9,12;BYMINUTE=30'],
    ['FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1', 'FREQ=MONTHLY;BYSETPOS=-1;BYDAY=MO,TU,WE,TH,FR'],
  ])('%s is kept as %s', (sent, rule) => {
    expect(readRule(sent)).toEqual({ rule, count: undefined, until: undefined })
  })

  it('may have its own end', () => {
    expect(readRule('FREQ=DAILY;COUNT=5')).toEqual({ rule: 'FREQ=DAILY', count: 5, until: undefined })
    expect(readRule('UNTIL=20270301;FREQ=DAILY')).toEqual({ rule: 'FREQ=DAILY', count: undefined, until: '20270301' })
  })

  it.each([
    ['', 'expected parts such as'],
    ['every day', 'expected parts such as'],
    ['FREQ=DAILY;', undefined],
    ['FREQ=DAILY;;BYHOUR=9', 'expected parts such as'],
    ['BYDAY=MO', 'expected FREQ to be one of YEARLY, MONTHLY, WEEKLY, DAILY, HOURLY, got nothing'],
    ['FREQ=SOMETIMES', 'got "SOMETIMES"'],
    ['FREQ=MINUTELY', 'MINUTELY is too often: it repeats hourly at most'],
    ['FREQ=SECONDLY;INTERVAL=7200', 'too often'],
    ['FREQ=HOURLY;BYMINUTE=0,30', 'BYMINUTE takes one value'],
    ['FREQ=DAILY;BYSECOND=0,1', 'BYSECOND takes one value'],
    ['FREQ=DAILY;FREQ=WEEKLY', 'FREQ stands in it twice'],
    ['FREQ=DAILY;RSCALE=CHINESE', 'there is no part "RSCALE"'],
    ['FREQ=DAILY;INTERVAL=0', 'expected INTERVAL to be a whole number from 1 to 3650, got "0"'],
    ['FREQ=YEARLY;INTERVAL=11', 'from 1 to 10'],
    ['FREQ=DAILY;INTERVAL=1.5', 'expected parts such as'],
    ['FREQ=YEARLY;BYMONTH=13', 'expected values of BYMONTH from 1 to 12, got "13"'],
    ['FREQ=YEARLY;BYMONTH=-1', 'from 1 to 12'],
    ['FREQ=MONTHLY;BYMONTHDAY=0', 'from 1 to 31, or negative, got "0"'],
    ['FREQ=MONTHLY;BYMONTHDAY=1,,2', 'got ""'],
    ['FREQ=DAILY;BYHOUR=24', 'from 0 to 23'],
    ['FREQ=WEEKLY;BYMONTHDAY=1', 'BYMONTHDAY does not go with FREQ=WEEKLY'],
    ['FREQ=MONTHLY;BYWEEKNO=1', 'BYWEEKNO does not go with FREQ=MONTHLY'],
    ['FREQ=DAILY;BYYEARDAY=1', 'BYYEARDAY does not go with FREQ=DAILY'],
    ['FREQ=DAILY;BYHOUR=1,2;BYSETPOS=1', 'BYSETPOS does not go with FREQ=DAILY'],
    ['FREQ=MONTHLY;BYSETPOS=1', 'there is none'],
    ['FREQ=WEEKLY;BYDAY=1MO', '"1MO" in BYDAY goes with months and years only'],
    ['FREQ=YEARLY;BYWEEKNO=3;BYDAY=1MO', 'not with BYWEEKNO'],
    ['FREQ=MONTHLY;BYDAY=6MO', 'to be 1 to 5, or negative, got "6MO"'],
    ['FREQ=YEARLY;BYDAY=53MO', 'to be 1 to 52'],
    ['FREQ=YEARLY;BYMONTH=1;BYDAY=6MO', 'to be 1 to 5'],
    ['FREQ=WEEKLY;BYDAY=MON', '"MON" is no value of BYDAY'],
    ['FREQ=WEEKLY;WKST=XX', '"XX" is no value of WKST'],
    ['FREQ=DAILY;COUNT=0', 'expected COUNT'],
    ['FREQ=DAILY;UNTIL=tomorrow', '"TOMORROW" is no value of UNTIL'],
    ['FREQ=DAILY;COUNT=5;UNTIL=20270301', 'COUNT and UNTIL do not go together'],
  ])('%s: %s', (sent, why) => {
    if (why === undefined) return void expect(readRule(sent).rule).toBe('FREQ=DAILY')
    expect(() => readRule(sent)).toThrow(
      expect.objectContaining({
        code: 'invalid-request',
        message: expect.stringContaining(why),
        details: { field: 'repeat.rule' },
      }),
    )
  })
})
