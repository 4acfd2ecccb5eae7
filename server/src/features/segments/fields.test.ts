import { countSegment, createSegment } from '@peyk/contract'
import { describe, expect, it } from 'vitest'
import { type Field, findField, listNames, operatorsOfKind } from './fields.ts'

describe('names of segment fields', () => {
  it.each([
    ['tags.city', { from: 'value-tag', key: 'city' }],
    ['tags.a.b', { from: 'value-tag', key: 'a.b' }],
    ['attributes.first.name', { from: 'attribute', name: 'first.name' }],
    ['purchase.count', { from: 'event', key: 'purchase', aggregate: 'count' }],
    ['Add To Cart.lastValue', { from: 'event', key: 'add to cart', aggregate: 'lastValue' }],
    ['v1.2 Seen.first', { from: 'event', key: 'v1.2 seen', aggregate: 'first' }],
    ['tags.count', { from: 'value-tag', key: 'count' }],
  ])('%s is found', (name, source) => {
    expect(findField(name, 'segment')?.source).toEqual(source)
  })

  it.each([
    'instalDate',
    'installdate',
    'purchase',
    'purchase.total',
    'purchase.',
    '.count',
    'tags.',
    'attributes.',
    'attributes',
    'constructor',
    '__proto__',
    'toString',
    'created',
    'id',
    '',
  ])('"%s" is none', (name) => {
    expect(findField(name, 'segment')).toBeUndefined()
  })

  it('are more in filters', () => {
    expect(findField('created', 'target')?.source).toEqual(findField('installDate', 'segment')?.source)
    expect(findField('id', 'target')?.kind).toBe('text')
    expect(listNames('target')).toEqual(expect.arrayContaining(['created', 'id', 'userId']))
  })
})

/** The rows `| name | is | operators |` of the API reference, with each of a row's names apart. */
function readTable(description: string): { name: string; is: string; operators: string[] }[] {
  return [...description.matchAll(/^\| (`.+`) \| (.*?) ?\| `(.+)` \|$/gm)].flatMap(([, names, is, operators]) =>
    [...(names as string).matchAll(/`([^`]+)`/g)].map(([, name]) => ({
      name: (name as string).replace(/^\./, '<event>.'),
      is: is as string,
      operators: (operators as string).split(' '),
    })),
  )
}

const attributeKinds: Record<string, ('number' | 'date' | 'text' | 'boolean' | 'list')[]> = {
  'a number': ['number'],
  'a date': ['date'],
  'a text, a boolean, an array of texts': ['text', 'boolean', 'list'],
}

describe.each([
  ['countSegment', countSegment.description ?? ''],
  ['createSegment', createSegment.description ?? ''],
])('the API reference of %s', (_, description) => {
  const table = readTable(description)

  it('has every name', () => {
    const names = listNames('segment').flatMap((name) => {
      const [event, aggregates] = name.split('.')
      return aggregates?.includes('|') ? aggregates.split('|').map((aggregate) => `${event}.${aggregate}`) : [name]
    })
    expect([...new Set(table.map((row) => row.name))].sort()).toEqual(names.sort())
  })

  it('has the operators that each name takes', () => {
    for (const row of table) {
      const field = findField(row.name, 'segment') as Field
      const kinds = field.kind ? [field.kind] : attributeKinds[row.is]
      for (const kind of kinds ?? []) expect([row.name, ...row.operators]).toEqual([row.name, ...operatorsOfKind[kind]])
      expect(kinds).toBeDefined()
    }
  })
})
