import { expect, it } from 'vitest'
import { listWanted } from './list-wanted.ts'
import { findValuePlaces } from './value-places.ts'

it.each([
  ['{{ values.a }}', [{ name: 'a', required: true }]],
  ['{{ values.a | default: "x" }}', [{ name: 'a', required: false, fallback: 'x' }]],
  ['{{ values.a | default: 5 }}', [{ name: 'a', required: false, fallback: '5' }]],
  ['{{ values.a | default: user.b }}', [{ name: 'a', required: false }]],
  ['{{ user.b | default: values.a }}', [{ name: 'a', required: true }]],
  ['{% if values.a %}{{ values.a }}{% endif %}', [{ name: 'a', required: false }]],
  [
    '{% if values.a %}{{ values.b }}{% endif %}',
    [
      { name: 'a', required: false },
      { name: 'b', required: true },
    ],
  ],
  ['{% if values.a %}x{% endif %}{{ values.a }}', [{ name: 'a', required: true }]],
  ['{% assign x = values.a %}{{ x | default: "y" }}', [{ name: 'a', required: true }]],
  [
    '{% for i in (1..values.n) limit: values.l %}{{ i }}{% endfor %}',
    [
      { name: 'n', required: true },
      { name: 'l', required: true },
    ],
  ],
  [
    '{{ values.نام }} {{ values["x-y"].size }}',
    [
      { name: 'نام', required: true },
      { name: 'x-y', required: true },
    ],
  ],
  ['{{ values.a', []],
])('what %s asks for', (content, wanted) => {
  expect(listWanted({ content })).toEqual(wanted)
})

it('is looked for in every wording', () => {
  const wanted = listWanted({
    content: '{{ values.a | default: "x" }}',
    fallback: { content: '{{ values.b }}' },
    contents: { fa: { notification: { title: '{{ values.a }}' }, data: { deep: ['{{ values.c }}'] } } },
  })
  expect(wanted).toEqual([
    { name: 'a', required: true, fallback: 'x' },
    { name: 'b', required: true },
    { name: 'c', required: true },
  ])
})

it.each([
  '{{ values }}',
  '{{ values[user.x] }}',
  '{{ values[0] }}',
  '{{ values["a b"] }}',
  '{% for v in values %}{{ v }}{% endfor %}',
])('cannot be told of %s', (text) => {
  expect(findValuePlaces(text)).toBeUndefined()
})
