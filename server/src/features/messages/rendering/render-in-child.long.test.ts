import { describe, expect, it } from 'vitest'
import { renderInChild } from './render-in-child.ts'

const hanging = '{{ (9007199254740992..9007199254740994) | first }}'
const fault = { fault: expect.stringContaining('too long') }

describe('rendering apart', () => {
  it('leaves out who has attributes that never end, and writes for all others', async () => {
    const scopes = [3, 2 ** 53, 2, 2 ** 53, 1].map((from) => ({ user: { from, to: from + 2 } }))
    const rendered = await renderInChild(1, '{% for i in (user.from..user.to) %}{{ i }}{% endfor %}', scopes)
    expect(rendered).toEqual([{ text: '345' }, fault, { text: '234' }, fault, { text: '123' }])
  })

  it('is not given up for the sake of a few who come after many', async () => {
    const good = Array.from({ length: 150 }, () => ({ user: { from: 1, to: 2 } }))
    const hostile = Array.from({ length: 4 }, () => ({ user: { from: 2 ** 53, to: 2 ** 53 + 2 } }))
    const rendered = await renderInChild(1, '{% for i in (user.from..user.to) %}{{ i }}{% endfor %}!', [
      ...good,
      ...hostile,
      ...good,
    ])
    expect(rendered).toEqual([
      ...good.map(() => ({ text: '12!' })),
      ...hostile.map(() => fault),
      ...good.map(() => ({ text: '12!' })),
    ])
  })

  it('gives a text up that fails with everybody', async () => {
    const scopes = Array.from({ length: 2_000 }, () => ({}))
    const rendered = await renderInChild(1, `${hanging} for all`, scopes)
    expect(rendered).toEqual(scopes.map(() => fault))
  })

  it('lets the texts of others pass', async () => {
    const ended: string[] = []
    const slow = [1, 2, 3, 4].map((no) => renderInChild(1, `${hanging} ${no}`, [{}]).then(() => ended.push('hanging')))
    const other = renderInChild(2, '{% assign a = 1 %}{{ a }}', [{}]).then(() => ended.push('other'))
    await Promise.all([...slow, other])
    expect(ended.indexOf('other')).toBeLessThan(3)
  })
})
