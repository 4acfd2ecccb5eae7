import { expect, it } from 'vitest'
import { type Draft, emptyDraft } from '../draft/draft.ts'
import { emptyTexts } from '../draft/draft-texts.ts'
import { addCopy, changeVariant } from '../variants/draft-variants.ts'
import { usedImages } from './used-images.ts'

const at = (name: string) => `https://shop.example/${name}.png`
const texts = (name: string) => ({ ...emptyTexts, mediaUrl: at(name) })
const plain: Draft = { ...emptyDraft, notification: { ...emptyDraft.notification, mediaUrl: at('a') } }

it('finds the image of the message, and of its languages', () => {
  expect(usedImages(emptyDraft)).toEqual([])
  expect(usedImages({ ...plain, languages: { fa: texts('fa'), de: texts('a'), en: emptyTexts } })).toEqual([
    { url: at('a'), variant: undefined, language: undefined },
    { url: at('fa'), variant: undefined, language: 'fa' },
  ])
})

it('finds those of all variants, in all their languages', () => {
  const copied = { ...plain, languages: { fa: texts('fa') } }
  const two = { ...copied, ...addCopy(copied, 0) }
  const draft = { ...two, ...changeVariant(two, 1, { texts: texts('b'), languages: { fa: texts('b-fa') } }) }
  const [first, second] = draft.test.variants.map(({ name }) => name)
  expect(usedImages(draft)).toEqual([
    { url: at('a'), variant: first, language: undefined },
    { url: at('fa'), variant: first, language: 'fa' },
    { url: at('b'), variant: second, language: undefined },
    { url: at('b-fa'), variant: second, language: 'fa' },
  ])
})

it('takes media of another kind for no image', () => {
  expect(usedImages({ ...plain, notification: { ...plain.notification, mediaType: 'video' } })).toEqual([])
})
