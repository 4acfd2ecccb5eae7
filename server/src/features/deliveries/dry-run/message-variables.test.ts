import { expect, it } from 'vitest'
import type { MessageContent } from '../../messages/compose/compose-message.ts'
import { listUnguarded, listVariables } from './message-variables.ts'

it.each<[string, string[]]>([
  ['Hello', []],
  ['Hi {{ user.firstName }}, {{ user.firstName | upcase }}', ['user.firstName']],
  ['{{ userId }} {{ user.id }} {{ promoCode }}', ['userId', 'user.id', 'promoCode']],
  ['{{ firstName }}', ['firstName']],
  ['{% if user.isMember %}{{ user.points }}{% endif %}', ['user.isMember', 'user.points']],
  ['{% assign name = user.firstName %}{{ name }}{% for i in (1..3) %}{{ i }}{% endfor %}', ['user.firstName']],
  ['{{ user.size }} {{ user[deviceType] }}', ['deviceType']],
  ['{{ user.address.city }}', ['user.address']],
  ['{{ not a template', []],
])('the variables of %j', (content, variables) => {
  expect(listVariables({ content } as MessageContent).sort()).toEqual(variables.toSorted())
})

it('are looked for in every text, also in the substitute SMS', () => {
  const content = {
    content: '{{ user.a }}',
    notification: { title: '{{ user.b }}', actions: [{ id: 'x', title: '{{ user.c }}' }] },
    fallback: { content: '{{ user.d }}', delay: 1 },
  } as MessageContent
  expect(listVariables(content).sort()).toEqual(['user.a', 'user.b', 'user.c', 'user.d'])
})

it.each<[string, string[]]>([
  ['Hi {{ user.firstName }}', ['user.firstName']],
  ['Hi {{ user.firstName | upcase }} of {{ user.city | default: "here" }}', ['user.firstName']],
  ['Hi {{ user.firstName | default: user.nickname }}', []],
  ['{% if user.firstName %}Hi {{ user.firstName }}{% endif %}', []],
  ['{% if user.isMember %}Dear {% endif %}{{ user.firstName }}', ['user.firstName']],
  ['{{ user.firstName }}{% if user.firstName %}, welcome{% endif %}', []],
  ['{{ userId }} {{ promoCode }}', ['promoCode', 'userId']],
])('the variables of %j that may leave a gap', (content, variables) => {
  expect(listUnguarded({ content } as MessageContent).sort()).toEqual(variables)
})
