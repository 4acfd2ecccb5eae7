import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalLanguage, directionOf, matchLanguage } from './language-tags.ts'

describe('the language of an installation', () => {
  it.each([
    ['fa', ['fa', 'en'], 'fa'],
    ['fa-IR', ['fa', 'en'], 'fa'],
    ['fa_IR', ['fa', 'en'], 'fa'],
    ['fa_IR.UTF-8', ['fa'], 'fa'],
    ['FA-ir', ['fa-IR', 'fa'], 'fa-IR'],
    ['fa-IR-u-nu-latn', ['fa'], 'fa'],
    ['fa', ['fa-IR'], undefined],
    ['fa-AF', ['fa-IR'], undefined],
    ['en-GB', ['en', 'en-US'], 'en'],
    ['fas', ['fa'], 'fa'],
    ['iw_IL', ['he'], 'he'],
    ['in', ['id'], 'id'],
    ['zh-Hant-TW', ['zh-Hant', 'zh'], 'zh-Hant'],
    ['zh-Hant-TW', ['zh-TW', 'zh-Hant'], 'zh-TW'],
    ['zh-TW', ['zh', 'zh-Hant'], 'zh-Hant'],
    ['zh-HK', ['zh', 'zh-Hant'], 'zh-Hant'],
    ['zh_TW_#Hant', ['zh-Hant', 'zh'], 'zh-Hant'],
    ['zh', ['zh-Hans', 'zh-Hant'], 'zh-Hans'],
    ['zh-Hant', ['zh'], 'zh'],
    ['zh-CN', ['zh-Hant'], undefined],
    ['sr_RS_#Latn', ['sr', 'sr-Latn'], 'sr-Latn'],
    ['sr-RS', ['sr-Latn', 'sr-Cyrl'], 'sr-Cyrl'],
    ['az-Arab-IR', ['az', 'az-Arab'], 'az-Arab'],
    ['ca-ES-valencia', ['ca', 'ca-ES'], 'ca-ES'],
    ['de', ['fa', 'en'], undefined],
    ['', ['fa'], undefined],
    [null, ['fa'], undefined],
    [undefined, ['fa'], undefined],
    ['no language at all', ['fa'], undefined],
    ['default', ['fa'], undefined],
    ['und', ['fa'], undefined],
    ['und-Arab-IR', ['fa'], undefined],
    [`fa-${'x'.repeat(200)}`, ['fa'], undefined],
  ] as const)('%s, of %s, is %s', (written, offered, language) => {
    expect(matchLanguage(written, offered)).toBe(language)
  })

  const language = fc.constantFrom('fa', 'en', 'zh', 'sr', 'pt', 'ar', 'he', 'ckb')
  const script = fc.option(fc.constantFrom('Arab', 'Latn', 'Hant', 'Hans', 'Cyrl'), { nil: undefined })
  const region = fc.option(fc.constantFrom('IR', 'US', 'TW', 'RS', 'BR', '419'), { nil: undefined })
  const tag = fc.tuple(language, script, region).map((parts) => parts.filter((part) => part !== undefined).join('-'))
  const offered = fc.uniqueArray(tag, { maxLength: 8 })

  it('gets its own language or none, and never a worse one than there is', () => {
    fc.assert(
      fc.property(tag, offered, (written, tags) => {
        const found = matchLanguage(written, tags)
        const [primary] = written.split('-')
        if (found !== undefined) expect([tags.includes(found), found.split('-')[0]]).toEqual([true, primary])
        if (tags.includes(written)) expect(found).toBe(written)
        else if (found === undefined) expect(tags).not.toContain(primary)
      }),
    )
  })

  it('is found whatever its writing, and whatever else is offered in whichever order', () => {
    fc.assert(
      fc.property(tag, offered, fc.boolean(), (written, tags, isUpper) => {
        const found = matchLanguage(written, tags)
        const other = written.replaceAll('-', '_')
        expect(matchLanguage(isUpper ? other.toUpperCase() : other.toLowerCase(), tags)).toBe(found)
        expect(matchLanguage(written, tags.toReversed())).toBe(found)
        expect(matchLanguage(written, [...tags, 'tr', 'de-AT'])).toBe(found)
      }),
    )
  })

  it('may be any text', () => {
    fc.assert(
      fc.property(fc.string(), (written) => {
        expect(matchLanguage(written, ['fa', 'en'])).toBeOneOf(['fa', 'en', undefined])
      }),
    )
  })
})

it.each([
  ['fa', 'fa'],
  ['fa_IR', 'fa-IR'],
  ['ZH-hant', 'zh-Hant'],
  ['iw', 'he'],
  ['eng', 'en'],
  ['es-419', 'es-419'],
  ['ckb', 'ckb'],
  ['default', undefined],
  ['persian', undefined],
  ['xx', undefined],
  ['fa-XX', undefined],
  ['und', undefined],
  ['fa-IR-u-nu-latn', undefined],
  ['__proto__', undefined],
  ['f', undefined],
  ['', undefined],
])('a message in the language %s is one in %s', (written, tag) => {
  expect(canonicalLanguage(written)).toBe(tag)
})

it.each([
  ['fa', 'rtl'],
  ['fa-IR', 'rtl'],
  ['ar', 'rtl'],
  ['he', 'rtl'],
  ['ckb', 'rtl'],
  ['ur-IN', 'rtl'],
  ['az-Arab', 'rtl'],
  ['dv', 'rtl'],
  ['en', 'ltr'],
  ['az', 'ltr'],
  ['ku', 'ltr'],
  ['zh-Hant', 'ltr'],
])('%s is written %s', (language, direction) => {
  expect(directionOf(language)).toBe(direction)
})
