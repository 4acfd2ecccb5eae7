import { expect, it } from 'vitest'
import { orderTables } from './order-tables.ts'

const table = (name: string) => ({ name, columns: ['id'] })

it('puts tables behind those they refer to, and else in the order of their names', () => {
  const tables = ['a', 'b', 'c', 'd'].map(table)
  const references = [
    { from: 'a', to: 'd' },
    { from: 'd', to: 'c' },
    { from: 'b', to: 'b' },
  ]
  expect(orderTables(tables, references).map(({ name }) => name)).toEqual(['b', 'c', 'd', 'a'])
})

it('says which tables refer to one another', () => {
  const references = [
    { from: 'a', to: 'b' },
    { from: 'b', to: 'a' },
  ]
  expect(() => orderTables(['a', 'b', 'c'].map(table), references)).toThrow('a, b')
})
