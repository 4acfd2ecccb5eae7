import { expect, it } from 'vitest'
import { findRendered } from './rendered-text.ts'

const answer = { texts: [{ field: 'content', text: 'Hello Grace' }] }

it('is what the user reads in place of a template', () => {
  expect(findRendered(answer, 'content', 'Hello {{ user.firstName }}')?.text).toBe('Hello Grace')
})

it('is nothing for plain text, whatever stood there before', () => {
  expect(findRendered(answer, 'content', 'Plain words')).toBeUndefined()
  expect(findRendered(answer, 'content', undefined)).toBeUndefined()
})
