import { expect, it } from 'vitest'
import { joinAttributes, neededValues } from './needed-values.ts'
import { parseTemplate } from './template-engine.ts'

it.each([
  ['{{ user.city }} {{ user["last name"] }} {{ userId }}', ['city', 'last name']],
  ['{% for x in user.list %}{{ x }}{% endfor %}', ['list']],
  ['{{ user.address.city }}', ['address']],
  ['{{ promoCode }}', []],
  ['{{ user[deviceType] }}', 'all'],
  ['{% assign u = user %}{{ u.city }}', 'all'],
  ['{{ user.size }}', 'all'],
])('%s needs the attributes %j', (text, names) => {
  const { attributes } = neededValues(parseTemplate(text), text)
  expect(attributes === 'all' ? 'all' : [...attributes]).toEqual(names)
})

it('what several texts need is all of it', () => {
  expect(joinAttributes([new Set(['a']), new Set(['b', 'a'])])).toEqual(new Set(['a', 'b']))
  expect(joinAttributes([new Set(['a']), 'all'])).toBe('all')
})
