import { describe, expect, it } from 'vitest'
import { linesOf, textsOf } from './category-lines.ts'

describe('the texts of a category', () => {
  it('are typed line by line and come back as they were', () => {
    const category = { name: { en: 'News', fa: 'خبرها' }, description: { fa: 'هفته‌ای یک بار' } }
    expect(textsOf(linesOf(category, 'en'))).toEqual(category)
  })

  it('begin with an empty line, and leave out what is empty', () => {
    const [line] = linesOf(undefined, 'fa')
    expect(line).toMatchObject({ language: 'fa', name: '', description: '' })
    expect(textsOf([{ key: 'a', language: ' en ', name: ' News ', description: ' ' }])).toEqual({
      name: { en: 'News' },
    })
  })
})
