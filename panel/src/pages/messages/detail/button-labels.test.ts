import { expect, it } from 'vitest'
import { buttonLabels } from './button-labels.ts'

it('knows buttons by their id', () => {
  const actions = [{ title: 'Track it' }, { id: 'later', title: 'Later' }, { id: 'x', title: 'For {{ user.name }}' }]
  expect([...buttonLabels({ notification: { actions } as never })]).toEqual([
    ['', 'Track it'],
    ['later', 'Later'],
    ['x', 'For [name]'],
  ])
})

it('does not guess which of two buttons was pressed', () => {
  expect(buttonLabels({ notification: { actions: [{ title: 'Yes' }, { title: 'No' }] } as never }).size).toBe(0)
})

it('knows none of a message without buttons', () => {
  expect(buttonLabels({}).size).toBe(0)
  expect(buttonLabels({ notification: { title: 'Hello' } as never }).size).toBe(0)
})
