import { expect, it } from 'vitest'
import { nameVariables, splitTemplate } from './split-template.ts'

it('tells words from variables, which have the names that people know', () => {
  expect(splitTemplate('Hello {{ user.firstName | default: "friend" }}, use {{promoCode}}!')).toEqual([
    { kind: 'words', text: 'Hello ' },
    { kind: 'variable', text: 'firstName' },
    { kind: 'words', text: ', use ' },
    { kind: 'variable', text: 'promoCode' },
    { kind: 'words', text: '!' },
  ])
  expect(splitTemplate('{{ user["first name"] }}')).toEqual([{ kind: 'variable', text: 'first name' }])
  expect(splitTemplate("{{- user['first name'] -}}")).toEqual([{ kind: 'variable', text: 'first name' }])
  expect(splitTemplate('{% if user.vip %}Hi{% endif %}').map(({ text }) => text)).toEqual([
    'if user.vip',
    'Hi',
    'endif',
  ])
})

it('reads a text that was written as one', () => {
  expect(splitTemplate('Hi {{ user.name }}, {{ "\\u007b\\u007b x \\u007d\\u007d \\u0022\\n" }}')).toEqual([
    { kind: 'words', text: 'Hi ' },
    { kind: 'variable', text: 'name' },
    { kind: 'words', text: ', ' },
    { kind: 'words', text: '{{ x }} "\n' },
  ])
  expect(splitTemplate('{{ values.orderId }}')).toEqual([{ kind: 'variable', text: 'orderId' }])
})

it('leaves what is no template as it is', () => {
  expect(splitTemplate('Half the price')).toEqual([{ kind: 'words', text: 'Half the price' }])
  expect(splitTemplate('{{ open')).toEqual([{ kind: 'words', text: '{{ open' }])
  expect(splitTemplate('{{ }}')).toEqual([{ kind: 'variable', text: '{{ }}' }])
  expect(splitTemplate('')).toEqual([])
})

it('names variables in plain text', () => {
  expect(nameVariables('Track {{ user.order }}')).toBe('Track [order]')
})
