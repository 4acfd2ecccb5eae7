import { describe, expect, it } from 'vitest'
import { isCheapRecipient, isCheapTemplate } from './cheap-template.ts'
import { parseTemplate } from './template-engine.ts'

describe('a template', () => {
  it.each([
    'plain',
    'Dear {{ user.firstName | default: "friend" | capitalize }}, your code is {{ promoCode }}',
    '{% if user.age > 18 and user.city == "Tehran" %}{{ user["last name"] }}{% elsif user.vip %}V{% else %}-{% endif %}',
    '{% unless user.city contains "x" %}a{% endunless %}{% comment %}{{ a | sort }}{% endcomment %}{% raw %}{{{% endraw %}',
    '{% case user.plan %}{% when "a", "b" %}1{% else %}{{ user.plan | upcase | truncate: 10 }}{% endcase %}',
    '{{ user.born | date: "%Y/%m/%d" }} {{ user.sum | times: 2 | round: 1 }} {% echo user.id %}',
  ])('%s is cheap', (text) => {
    expect(isCheapTemplate(parseTemplate(text))).toBe(true)
  })

  it.each([
    '{{ (1..3) | first }}',
    '{{ user[(1..3)] }}',
    '{% if (1..3) contains 2 %}a{% endif %}',
    '{{ "a" | append: (1..3) }}',
    '{% for i in user.list %}{{ i }}{% endfor %}',
    '{% if user.a %}{% if user.b %}{% for i in user.list %}{{ i }}{% endfor %}{% endif %}{% endif %}',
    '{% if user.a %}{% else %}{{ user.a | split: "" | sort }}{% endif %}',
    '{% case user.a %}{% when 1 %}{% else %}{{ user.a | replace: "a", "aa" }}{% endcase %}',
    '{% assign a = user.a %}{{ a }}',
    '{% capture a %}b{% endcapture %}',
    '{% liquid\n echo user.a %}',
    '{{ user.list | has: "a", "b" }}',
    '{{ user.list | sum }}',
    '{{ user.list | push: 1 | join }}',
    '{{ 1 | date: "%999999d" }}',
    '{{ 1 | date: user.format }}',
    '{% unless user.list | sort | first %}{% endunless %}',
  ])('%s is not', (text) => {
    expect(isCheapTemplate(parseTemplate(text))).toBe(false)
  })
})

it('a recipient is cheap whose attributes are short and single', () => {
  const person = { userId: 'u', installationId: 'i', deviceType: 'ios', promoCode: undefined }
  const isCheap = (attributes: Record<string, unknown>) => isCheapRecipient({ ...person, attributes })
  expect(isCheap({ a: 'x'.repeat(16_000), b: 1, c: true, d: null, e: new Date() })).toBe(true)
  expect(isCheap({ a: 'x'.repeat(9_000), b: 'x'.repeat(9_000) })).toBe(false)
  expect(isCheap({ a: ['x'] })).toBe(false)
  expect(isCheap({ a: {} })).toBe(false)
})
