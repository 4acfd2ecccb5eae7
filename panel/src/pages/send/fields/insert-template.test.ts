import { expect, it } from 'vitest'
import { attributeTemplate } from './insert-template.ts'

it.each([
  ['firstName', 'friend', '{{ user.firstName | default: "friend" }}'],
  ['نام', '', '{{ user.نام }}'],
  ['first name', '', '{{ user["first name"] }}'],
  ['a"b', '', `{{ user['a"b'] }}`],
  ['x', 'say "hi"', `{{ user.x | default: 'say "hi"' }}`],
])('the attribute %s, else %j, is %s', (name, instead, template) => {
  expect(attributeTemplate(name, instead)).toBe(template)
})
