import type { MessageLine } from '@peyk/contract'
import { expect, test } from 'vitest'
import { type ListWanted, mergeLines } from './merge-lines.ts'

const line = (id: string, parts: object = {}) => ({ id, audience: 'query', ...parts }) as unknown as MessageLine
const ids = (pages: { data: MessageLine[] }[]) => pages.map(({ data }) => data.map(({ id }) => id).join(''))
const all: ListWanted = { search: '', kind: 'all' }
const at = 1
const pages = [
  { at, data: [line('d'), line('c')], cursor: 'c' },
  { at, data: [line('b')] },
]

test('what changed is changed where it is', () => {
  const merged = mergeLines(pages, [line('b', { count: 7 })], all)
  expect(ids(merged)).toEqual(['dc', 'b'])
  expect(merged[1]?.data[0]?.count).toBe(7)
  expect(merged[0]?.cursor).toBe('c')
})

test('what is new stands on top, newest first; what is older belongs to a later page', () => {
  expect(ids(mergeLines(pages, [line('e'), line('f'), line('a')], all))).toEqual(['fedc', 'b'])
  expect(ids(mergeLines([{ at, data: [] }], [line('a')], all))).toEqual(['a'])
  expect(mergeLines([], [line('a')], all)).toEqual([])
})

test('one page that stays open is cut, and goes on where it was cut', () => {
  const news = Array.from({ length: 250 }, (_, index) => line(`x${1000 + index}`))
  const [page] = mergeLines([{ at, data: [line('a')] }], news, all)
  expect(page?.data).toHaveLength(200)
  expect(page?.data[0]?.id).toBe('x1249')
  expect(page?.cursor).toBe('x1050')
})

test('what a list was not asked for does not come into it', () => {
  const news = [line('x', { audience: 'users' }), line('y', { trackId: 'spring' })]
  expect(ids(mergeLines(pages, news, { search: 'words', kind: 'all' }))).toEqual(['dc', 'b'])
  expect(ids(mergeLines(pages, news, { search: '', kind: 'personal' }))).toEqual(['xdc', 'b'])
  expect(ids(mergeLines(pages, news, { search: '', kind: 'group' }))).toEqual(['ydc', 'b'])
  expect(ids(mergeLines(pages, news, { search: '', kind: 'all', trackId: 'spring' }))).toEqual(['ydc', 'b'])
})
