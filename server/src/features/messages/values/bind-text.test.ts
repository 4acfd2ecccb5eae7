import type { Values } from '@peyk/contract'
import { isThorough } from '@peyk/test/runner/effort.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseTemplate, renderTemplate } from '../rendering/template-engine.ts'
import { bindText } from './bind-text.ts'

const values: Values = { order: 'A-1024', price: 12.5, count: 3, vip: true, off: false, empty: '', key: 'city' }
const user = { firstName: 'Sara', city: 'Shiraz', points: 7 }

describe('a text with values', () => {
  it.each([
    ['Order {{ values.order }} is on its way', 'Order A-1024 is on its way'],
    ['{{ values["order"] | downcase }}', 'a-1024'],
    ['{{ values.price | times: values.count }}', '37.5'],
    ['{% if values.vip %}VIP {% endif %}{% if values.off %}off{% else %}on{% endif %}', 'VIP on'],
    ['{% case values.count %}{% when 3 %}three{% else %}more{% endcase %}', 'three'],
    ['{{ values.name | default: "friend" }}, {{ values.empty | default: "none" }}', 'friend, none'],
    ['{% if values.name %}Dear {{ values.name }}{% endif %}!', '!'],
    ['{{- values.order -}} ', 'A-1024'],
  ])('that asks for nothing else is written at once: %s', (text, written) => {
    expect(bindText(text, values).text).toBe(written)
  })

  it.each([
    ['Hi {{ user.firstName }}, {{ values.order }}', 'Hi {{ user.firstName }}, A-1024'],
    ['{{ user.points | plus: values.count }}', '{{ user.points | plus: 3 }}'],
    ['{{ user[values.key] }}', '{{ user["city"] }}'],
    ['{% if user.points > values.count %}a{% endif %}', '{% if user.points > 3 %}a{% endif %}'],
    ['{{ user.a }}{{ values.name | default: "b" }}', '{{ user.a }}b'],
    ['{% if user.a %}{{ values.order | downcase }}{% endif %}', '{% if user.a %}a-1024{% endif %}'],
    ['{{ values.name | default: user.firstName }}', '{{ nil | default: user.firstName }}'],
    [
      '{{ user.a }}{% for i in (1..values.count) %}{{ i }}{% endfor %}',
      '{{ user.a }}{% for i in (1..3) %}{{ i }}{% endfor %}',
    ],
    ['{% liquid\n echo user.a\n echo values.order %}', '{% liquid\n echo user.a\n echo "A-1024" %}'],
    ['{{ values.order.size }} {{ values.price.size }}', '{{ "A-1024".size }} {{ nil }}'],
    ['{{ user.a }}{% cycle values.order, values.count %}', '{{ user.a }}{% cycle "A-1024", 3 %}'],
    ['{{ user.a }} {{ values.empty }}', '{{ user.a }} {{ "" }}'],
    ['{{ "now" | date: "%Y" }} {{ values.count }}', '{{ "now" | date: "%Y" }} 3'],
  ])('that asks for more stays a template: %s', (text, written) => {
    expect(bindText(text, values).text).toBe(written)
  })

  it.each([
    'Hello',
    'values.order',
    '{{ user.values }}',
    '{% for values in user.list %}{{ values.order }}{% endfor %}',
    '{% assign values = user %}{{ values.order }}',
    '{% capture values %}x{% endcapture %}{% if values.order %}y{% endif %}',
    '{% raw %}{{ values.order }}{% endraw %}',
    '{{ "{{ values.order }}" }}',
    '{{ values.order',
    '{{ values[user.city] }}',
  ])('that asks for none that can be named stays as it is: %s', (text) => {
    expect(bindText(text, values)).toEqual({ text, used: [] })
  })

  it('keeps what asks for a value that is not given and has no fallback', () => {
    expect(bindText('{{ values.order }} {{ values.name }}', values).text).toBe('A-1024 {{ values.name }}')
  })

  it.each([
    '{{ user.city }}',
    '{% if true %}x{% endif %}',
    '"}} {{ user.city',
    "'{{",
    '\\',
    '{% endraw %}{{ userId }}',
  ])('takes nothing of a value for a template: %s', (trick) => {
    for (const text of ['{{ values.trick }}', '{{ user.firstName }} {{ values.trick }}', '% {{ values.trick }}}']) {
      const { text: bound } = bindText(text, { trick })
      expect(renderedFor(bound)).toBe(text.replace('{{ values.trick }}', trick).replace('{{ user.firstName }}', 'Sara'))
      expect(bindText(bound, { trick: 'other' }).text).toBe(bound)
    }
  })
})

const parts = fc.constantFrom(
  ...[
    '{{ values.a }}',
    '{{values.b|upcase}}',
    '{{- values.a -}}',
    '{{ values.c | plus: values.c }}',
    '{{ values["b"] }}',
  ],
  ...['{% if values.a == values.b %}', '{% if values.d %}', '{% unless values.c > 1 %}', '{% else %}x{% endif %}'],
  ...[
    '{% endif %}',
    '{% endunless %}',
    '{{ user.firstName }}',
    '{{ values.a | append: user.city }}',
    '{{ values.b.size }}',
  ],
  ...['{%- assign t = values.a | size -%}{{ t }}', ' {', '} ', '%', ' plain ', '{{ values.e | default: values.a }}'],
  ...['{% capture k %} {{ values.b }} {% endcapture %}{{ k }}', '{{ user[values.b] }}', '{{ values.c | default: 5 }}'],
)
const texts = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('{', '}', '%', '"', "'", '\\', ' ', 'a', '\n') }))
const given = fc.record({
  a: texts,
  b: fc.oneof(texts, fc.constant('city')),
  c: fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer()),
  d: fc.boolean(),
})

it('a text with its values reads as the template does when it is given them', () => {
  fc.assert(
    fc.property(fc.array(parts, { minLength: 1, maxLength: 6 }), given, (some, own) => {
      const text = some.join('')
      const expected = renderedFor(text, own)
      fc.pre(expected !== undefined)
      expect(renderedFor(bindText(text, own).text)).toBe(expected)
    }),
    { numRuns: isThorough ? 2_000 : 60 },
  )
})

/** Undefined where it is not a template. */
function renderedFor(text: string, own?: Values): string | undefined {
  try {
    const rendered = renderTemplate(parseTemplate(text), { user, userId: 'u1', ...(own && { values: own }) })
    return 'text' in rendered ? rendered.text : undefined
  } catch {
    return undefined
  }
}
