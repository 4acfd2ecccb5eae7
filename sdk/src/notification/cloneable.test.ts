import { expect, it } from 'vitest'
import { cloneable } from './cloneable.ts'

it('leaves what can be passed on as it is', () => {
  const value = { title: 'Shop', at: new Date(0), list: [1, null], data: new Map([['a', 1]]) }
  expect(cloneable(value)).toEqual(value)
})

it('loses functions and symbols, wherever they are', () => {
  const run = () => undefined
  const value = { title: 'Shop', onclick: run, data: { order: 42, run, mark: Symbol('x') }, list: [run, 1] }
  expect(cloneable(value)).toEqual({ title: 'Shop', data: { order: 42 }, list: [1] })
  expect(cloneable(run)).toBeUndefined()
})

it('ends where things hold each other', () => {
  const component: Record<string, unknown> = { run: () => undefined, name: 'cart' }
  component.self = component
  expect(cloneable(component)).toMatchObject({ name: 'cart' })
})
