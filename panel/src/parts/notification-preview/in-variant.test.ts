import { expect, it } from 'vitest'
import { inVariant, languagesIn } from './in-variant.ts'

const message = {
  content: 'Hello',
  notification: { title: 'Sale', actions: [{ id: 'a', title: 'Open' }] },
  contents: { fa: { content: 'سلام', notification: { title: 'حراج' } } },
  variants: [
    { name: 'A', share: 50 },
    {
      name: 'B',
      share: 50,
      notification: { title: 'Big sale', actions: [{ id: 'a', title: 'Go' }] },
      contents: { de: { notification: { title: 'Großer Ausverkauf' } } },
    },
  ],
}

it('a message is read in one of its variants, and there in a language', () => {
  const read = (variant: string | undefined, language?: string) => {
    const { content, notification } = inVariant(message, variant, language)
    return [content, notification?.title]
  }
  expect(read(undefined)).toEqual(['Hello', 'Sale'])
  expect(read('A')).toEqual(['Hello', 'Sale'])
  expect(read('A', 'fa')).toEqual(['سلام', 'حراج'])
  expect(read('B')).toEqual(['Hello', 'Big sale'])
  expect(read('B', 'fa')).toEqual(['سلام', 'Big sale'])
  expect(read('B', 'de')).toEqual(['Hello', 'Großer Ausverkauf'])
  expect(inVariant(message, 'B', undefined).notification?.actions).toEqual([{ id: 'a', title: 'Go' }])
})

it('the languages of its variants are those of the message, too', () => {
  expect(languagesIn(message)).toEqual(['fa', 'de'])
  expect(languagesIn({})).toEqual([])
})
