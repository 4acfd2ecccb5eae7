import { describe, expect, it } from 'vitest'
import { registerDevice } from '../helpers/devices.ts'
import { createTestServer } from '../helpers/service/test-server.ts'

const { call, callAsClient, baseUrl, token } = await createTestServer()
const tagsOf = async (userId: string) => (await call('GET', `/api/installations/tags/${userId}`)).body.sort()
const withValue = async (tag: string, value: string) =>
  (
    await call('POST', '/api/segments/count', {
      segment: { all: [{ name: `tags.${tag}`, operator: 'equal_to', value }] },
    })
  ).body.count

describe('tags [interface.md#44-add-and-remove-tags]', () => {
  it('are added one at a time, on all devices of the user', async () => {
    await registerDevice(callAsClient, { userId: 'a' })
    await registerDevice(callAsClient, { userId: 'a' })
    const { status, body } = await call('GET', '/api/installations/addTag/a/vip')
    expect({ status, body }).toEqual({ status: 200, body: { count: 2 } })
    expect(await tagsOf('a')).toEqual(['vip'])
    expect(
      (
        await call('POST', '/api/segments/count', {
          segment: { all: [{ name: 'tags', operator: 'equal_to', value: 'vip' }] },
        })
      ).body.count,
    ).toBe(2)
  })

  it('are added and removed several at a time', async () => {
    await registerDevice(callAsClient, { userId: 'b' })
    expect((await call('POST', '/api/installations/addTags', { userId: 'b', tags: ['x', 'y', 'z'] })).body).toEqual({
      count: 1,
    })
    expect(
      (await call('POST', '/api/installations/removeTags', { userId: 'b', tags: ['x', 'z', 'never'] })).body,
    ).toEqual({ count: 1 })
    expect(await tagsOf('b')).toEqual(['y'])
    expect((await call('GET', '/api/installations/removeTag/b/y')).body).toEqual({ count: 1 })
    expect(await tagsOf('b')).toEqual([])
  })

  it('have values that are added, changed and removed', async () => {
    await registerDevice(callAsClient, { userId: 'c' })
    expect(
      (await call('POST', '/api/installations/addValueTag', { userId: 'c', tag: 'city', value: 'tehran' })).body,
    ).toEqual({ count: 1 })
    expect(await withValue('city', 'tehran')).toBe(1)
    await call('POST', '/api/installations/addValueTag', { userId: 'c', tag: 'city', value: 'berlin' })
    expect([await withValue('city', 'tehran'), await withValue('city', 'berlin')]).toEqual([0, 1])
    await call('GET', '/api/installations/addTag/c/city')
    expect(await withValue('city', 'berlin')).toBe(1)
    expect((await call('POST', '/api/installations/removeValueTag', { userId: 'c', tag: 'city' })).body).toEqual({
      count: 1,
    })
    expect(await tagsOf('c')).toEqual([])
  })

  it('wait on a user without devices', async () => {
    expect((await call('GET', '/api/installations/addTag/later/early')).body).toEqual({ count: 0 })
    await registerDevice(callAsClient, { userId: 'later' })
    expect(
      (
        await call('POST', '/api/segments/count', {
          segment: { all: [{ name: 'tags', operator: 'equal_to', value: 'early' }] },
        })
      ).body.count,
    ).toBe(1)
  })

  it('are percent-decoded exactly once in a path', async () => {
    await call('GET', '/api/installations/addTag/d/a%2Fb%20%D8%B3%252F')
    expect(await tagsOf('d')).toEqual(['a/b س%2F'])
  })

  it.each(['%ZZ', '%00', '%C3'])('in a path that is not text (%s) are refused', async (segment) => {
    const response = await fetch(`${baseUrl}/api/installations/addTag/d/${segment}?access_token=${token}`)
    expect(response.status).toBe(400)
  })

  it('are not changed by HEAD', async () => {
    const response = await fetch(`${baseUrl}/api/installations/addTag/head/x?access_token=${token}`, { method: 'HEAD' })
    expect(response.status).toBe(200)
    expect(await tagsOf('head')).toEqual([])
  })

  it.each([
    ['addTags', { tags: ['a'] }],
    ['addTags', { userId: 'u', tags: 'a' }],
    ['addTags', { userId: 'u', tags: [''] }],
    ['addTags', { userId: 'u' }],
    ['removeTags', { userId: 'u', tags: [] }],
    ['addValueTag', { userId: 'u', tag: 't' }],
    ['addValueTag', { userId: 'u', tag: 't', value: {} }],
    ['removeValueTag', { userId: 'u' }],
  ])('%s refuses %j', async (operation, body) => {
    expect((await call('POST', `/api/installations/${operation}`, body)).status).toBe(400)
  })

  it('are listed by name', async () => {
    await call('POST', '/api/installations/addTags', { userId: 'lister', tags: ['listed-1', 'listed-2'] })
    expect((await call('GET', '/api/installations/tags')).body).toEqual(
      expect.arrayContaining(['listed-1', 'listed-2']),
    )
  })
})
