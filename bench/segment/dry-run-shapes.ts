/** One message whose dry run is measured: what it has besides a text decides what has to be read for it. */
export interface DryRunShape {
  name: string
  message(at: Date): object
}

export const dryRunCategory = 'bench'
export const dryRunTrackId = 'bench'

const rule = (name: string, operator: string, value: unknown) => ({ name, operator, value })
const hello = { target: {}, content: 'Hello' }
const text = 'Hello {{ user.plan }}, your code is {{ promoCode }}'
const HOUR = 3_600_000
const localTime = (at: Date, hours: number) => new Date(at.getTime() + hours * HOUR).toISOString().slice(0, 16)

export const dryRunShapes: readonly DryRunShape[] = [
  { name: 'everybody', message: () => hello },
  {
    name: 'a quarter of them',
    message: () => ({
      segment: { all: [rule('tags', 'include', ['newsletter']), rule('clientVersion', 'greater_equals', '1.9')] },
      content: 'Hello',
    }),
  },
  { name: 'in two languages', message: () => ({ ...hello, contents: { fa: { content: 'سلام' } } }) },
  { name: 'with a value that some lack', message: () => ({ ...hello, content: 'Hello {{ user.plan }}' }) },
  {
    name: 'with promo codes',
    message: () => ({ ...hello, content: 'Your code is {{ promoCode }}', trackId: dryRunTrackId }),
  },
  { name: 'with a category', message: () => ({ ...hello, category: dryRunCategory }) },
  { name: 'at local time', message: (at) => ({ ...hello, sendAt: { local: localTime(at, 24), zone: 'UTC' } }) },
  {
    name: 'at local time, some too late',
    message: (at) => ({ ...hello, sendAt: { local: localTime(at, 2.75), zone: 'UTC', late: 'skip' } }),
  },
  {
    name: 'all of these',
    message: (at) => ({
      ...hello,
      content: text,
      contents: { fa: { content: `سلام: ${text}` } },
      trackId: dryRunTrackId,
      category: dryRunCategory,
      sendAt: { local: localTime(at, 2.75), zone: 'UTC', late: 'skip' },
    }),
  },
]
