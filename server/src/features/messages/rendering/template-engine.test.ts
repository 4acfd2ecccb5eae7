import { describe, expect, it } from 'vitest'
import { parseTemplate, renderTemplate, variablesOf } from './template-engine.ts'

const scope = Object.assign(Object.create(null), {
  user: { name: 'Sara', list: ['a', 'b'], at: '2026-01-02T03:04:05Z', many: Array.from({ length: 500 }, String) },
})
const render = (text: string) => renderTemplate(parseTemplate(text), scope)

describe('a template', () => {
  it.each([
    ['{{ user.name | upcase }}, {{ user.list | join: "+" }}', 'SARA, a+b'],
    ['{{ user.at | date: "%Y/%m/%d %H:%M" }}', '2026/01/02 03:04'],
    ['{% if user.list contains "b" %}yes{% endif %}', 'yes'],
    ['<b> & {{ "<i>" }}', '<b> & <i>'],
    ['{{ user.name | slice: 0, 2 }}{{ nothing }}', 'Sa'],
  ])('%s becomes "%s"', (text, expected) => {
    expect(render(text)).toEqual({ text: expected })
  })

  it.each([
    '{% for i in (1..1000000000) %}x{% endfor %}',
    '{% for i in (1..150000) %}{% endfor %}',
    '{% for a in user.many %}{% for b in user.many %}{% for c in user.many %}{% endfor %}{% endfor %}{% endfor %}',
    '{% assign a = "xxxxxxxxxx" %}{% for i in (1..60) %}{% assign a = a | append: a %}{% endfor %}{{ a }}',
    '{{ 1 | date: "%9999999d" }}',
    `{% for i in (1..2000) %}${'y'.repeat(5_000)}{% endfor %}`,
  ])('%.60s ends as a fault, not as a long wait', (text) => {
    expect(render(text)).toMatchObject({ fault: expect.any(String) })
  })

  it('has no filters that hide a template in a text', () => {
    expect(() => parseTemplate('{{ user.list | where_exp: "i", "promoCode" }}')).toThrow('undefined filter')
  })

  it.each([
    ['{{ user.name }} {{ promoCode | upcase }}', ['user', 'promoCode']],
    ['{% for x in user.list %}{{ x }}{{ forloop.index }}{% endfor %}', ['user']],
    ['{% assign a = promoCode %}{{ a }}', ['promoCode']],
    ['{{ user[deviceType] }}', ['user', 'deviceType']],
    ['{% liquid\n echo promoCode %}', ['promoCode']],
    ['{% comment %}{{ promoCode }}{% endcomment %}{% raw %}{{ user }}{% endraw %}', []],
    ['plain', []],
  ])('%j asks for %j', (text, names) => {
    expect(Object.keys(variablesOf(parseTemplate(text)) ?? {})).toEqual(names)
  })
})
