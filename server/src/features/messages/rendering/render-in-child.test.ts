import { describe, expect, it } from 'vitest'
import { runInTransaction } from '#base/store/pool/connection-scope.ts'
import { renderInChild } from './render-in-child.ts'

/** Each hangs, or fills the memory, in a way that counting steps does not see. Texts that failed often are remembered. */
const hostile = [
  '{{ (9007199254740992..9007199254740994) | first }} alone',
  '{% assign a = "x" | split: "," %}{% for i in (1..60) %}{% assign a = a | push: a | push: a %}{% endfor %}{{ a | join: "," }}',
]
const fault = { fault: expect.stringMatching(/too long|too many|limit/) }

describe('rendering apart', () => {
  it('writes a text for each recipient, in their order', async () => {
    const scopes = Array.from({ length: 250 }, (_, index) => ({ user: { no: index } }))
    const rendered = await renderInChild(1, '{% for i in (1..2) %}{{ user.no }}{% endfor %}', scopes)
    expect(rendered).toEqual(scopes.map(({ user: { no } }) => ({ text: `${no}${no}` })))
  })

  it.each(hostile)('%s ends as a fault, and the process answers meanwhile', async (text) => {
    let ticks = 0
    const ticking = setInterval(() => ticks++, 10)
    try {
      expect(await renderInChild(1, text, [{}])).toEqual([fault])
    } finally {
      clearInterval(ticking)
    }
    expect(ticks).toBeGreaterThan(5)
    expect(await renderInChild(1, '{% assign a = 1 %}{{ a }}', [{}])).toEqual([{ text: '1' }])
  })

  it('knows nothing of the process it belongs to', async () => {
    expect(await renderInChild(1, '{% assign a = process %}{{ a }}{{ env }}{{ global }}', [{}])).toEqual([{ text: '' }])
  })

  it('is not done while a transaction holds a connection', async () => {
    const rendering = runInTransaction(() => renderInChild(1, '{% assign a = 1 %}{{ a }}', [{}]))
    await expect(rendering).rejects.toThrow('A text was rendered apart while a transaction is open')
  })
})
