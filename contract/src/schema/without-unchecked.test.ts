import Type from 'typebox'
import { expect, it } from 'vitest'
import { withoutUnchecked } from './without-unchecked.ts'

it('elements that may be anything have no schema, whose rules would be tried on each of them', () => {
  const schema = Type.Object({ list: Type.Array(Type.Unknown()), map: Type.Record(Type.String(), Type.Unknown()) })
  expect(withoutUnchecked(schema)).toMatchObject({
    properties: { list: expect.not.objectContaining({ items: {} }), map: { type: 'object' } },
  })
  const { list, map } = (withoutUnchecked(schema) as typeof schema).properties
  expect(list).not.toHaveProperty('items')
  expect(map).not.toHaveProperty('patternProperties')
})

it('all other rules stay, also those in code', () => {
  const isEven = (value: number) => value % 2 === 0
  const list = Type.Array(Type.Refine(Type.Integer(), isEven, () => 'must be even'))
  const kept = withoutUnchecked(list) as typeof list & { items: Record<string, { check: unknown }[]> }
  expect(kept).toMatchObject({ type: 'array', items: { type: 'integer' } })
  expect(kept.items['~refine']?.[0]?.check).toBe(isEven)
})
