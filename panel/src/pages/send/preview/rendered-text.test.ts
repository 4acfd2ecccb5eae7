import { expect, it } from 'vitest'
import { findRendered, shownText } from './rendered-text.ts'

const answer = { texts: [{ field: 'content', text: 'Hello Grace' }] }

it('is what the user reads in place of a template', () => {
  expect(findRendered(answer, 'content', 'Hello {{ user.firstName }}')?.text).toBe('Hello Grace')
})

it('is nothing for plain text, whatever stood there before', () => {
  expect(findRendered(answer, 'content', 'Plain words')).toBeUndefined()
  expect(findRendered(answer, 'content', undefined)).toBeUndefined()
})

it('never shows a template as it is typed: not before the sample user is known, nor without a network', () => {
  const typed = 'Welcome {{ user.firstName | default: "friend" }}'
  expect(shownText(undefined, typed)).toBe('Welcome [firstName]')
  expect(shownText({ fault: 'too slow' }, typed)).toBe('Welcome [firstName]')
  expect(shownText({ text: 'Welcome Grace' }, typed)).toBe('Welcome Grace')
  expect(shownText(undefined, 'Plain words')).toBe('Plain words')
  expect(shownText(undefined, undefined)).toBeUndefined()
})
