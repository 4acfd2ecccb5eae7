import { describe, expect, it } from 'vitest'
import { isUuid } from '#base/ids.ts'
import { apnsIdOf } from './apns-id.ts'

describe('the apns-id', () => {
  it('is a UUIDv5, the same for the same push', () => {
    const id = apnsIdOf('6ba7b810-9dad-11d1-80b4-00c04fd430c8', 17)
    expect(isUuid(id)).toBe(true)
    expect(id).toMatch(/^.{14}5.{4}[89ab]/)
    expect(apnsIdOf('6ba7b810-9dad-11d1-80b4-00c04fd430c8', 17)).toBe(id)
  })

  it('differs by message and by installation', () => {
    const message = '01890000-0000-7000-8000-000000000001'
    const other = '01890000-0000-7000-8000-000000000002'
    expect(new Set([apnsIdOf(message, 1), apnsIdOf(message, 2), apnsIdOf(other, 1), apnsIdOf(other, 2)]).size).toBe(4)
  })

  it('is what RFC 9562 calculates for the name "www.example.com" of a namespace', () => {
    expect(apnsIdOf('6ba7b810-9dad-11d1-80b4-00c04fd430c8', 'www.example.com' as unknown as number)).toBe(
      '2ed6657d-e927-568b-95e1-2665a8aea6a2',
    )
  })
})
