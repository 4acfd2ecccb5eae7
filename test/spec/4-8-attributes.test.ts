import { describe, expect, it } from 'vitest'
import { registerDevice } from '../helpers/devices.ts'
import { createTestServer } from '../helpers/service/test-server.ts'

const { call, callAsClient } = await createTestServer()
const set = (body: unknown) => call('POST', '/api/installations/attributes', body)
const count = async (name: string, operator: string, value: unknown) =>
  (await call('POST', '/api/segments/count', { segment: { all: [{ name: `attributes.${name}`, operator, value }] } }))
    .body.count
const readInfo = async (id: string) => (await call('GET', `/api/installations/${id}`)).body.userInfo

describe('POST /api/installations/attributes [interface.md#48-set-attributes]', () => {
  it('stores values of every type on all devices of a user', async () => {
    const first = await registerDevice(callAsClient, { userId: 'a' })
    const second = await registerDevice(callAsClient, { userId: 'a' })
    const attributes = {
      points: 120,
      firstName: 'Sara',
      member: true,
      likes: ['tea', 'books'],
      birthday: '1990-05-06T00:00:00Z',
    }
    const { status, body } = await set({ userId: 'a', attributes })
    expect({ status, body }).toEqual({ status: 200, body: { count: 2 } })
    expect(await readInfo(first.id)).toMatchObject(attributes)
    expect(await readInfo(second.id)).toMatchObject(attributes)
    expect(await count('points', 'greater_than', 100)).toBe(2)
    expect(await count('firstName', 'equal_to', 'Sara')).toBe(2)
    expect(await count('member', 'equal_to', true)).toBe(2)
    expect(await count('likes', 'include', ['tea'])).toBe(2)
    expect(await count('birthday', 'before', '2000-01-01T00:00:00Z')).toBe(2)
  })

  it('stores by installationId on that device only, where it wins over the user', async () => {
    const first = await registerDevice(callAsClient, { userId: 'b' })
    const second = await registerDevice(callAsClient, { userId: 'b' })
    await set({ userId: 'b', attributes: { theme: 'light' } })
    expect((await set({ installationId: first.id, attributes: { theme: 'dark' } })).body).toEqual({ count: 1 })
    expect(await readInfo(first.id)).toMatchObject({ theme: 'dark' })
    expect(await readInfo(second.id)).toMatchObject({ theme: 'light' })
    expect([await count('theme', 'equal_to', 'dark'), await count('theme', 'equal_to', 'light')]).toEqual([1, 1])
  })

  it('removes an attribute that is set to null', async () => {
    const device = await registerDevice(callAsClient, { userId: 'c' })
    await set({ userId: 'c', attributes: { gone: 'soon', stays: 1 } })
    await set({ userId: 'c', attributes: { gone: null } })
    expect(await readInfo(device.id)).toEqual({ stays: 1 })
  })

  it('keeps a value of another type, warns, and leaves it out of segments', async () => {
    const device = await registerDevice(callAsClient, { userId: 'd' })
    await set({ userId: 'someone', attributes: { level: 5 } })
    const { status, body } = await set({ userId: 'd', attributes: { level: 'high' } })
    expect(status).toBe(200)
    expect(body.warnings[0]).toContain('level')
    expect(await readInfo(device.id)).toEqual({ level: 'high' })
    expect(await count('level', 'greater_than', 0)).toBe(0)
  })

  it.each([
    [{ attributes: { a: 1 } }, 400],
    [{ userId: 'u' }, 400],
    [{ userId: 'u', attributes: [] }, 400],
    [{ userId: 'u', attributes: { a: { b: 1 } } }, 400],
    [{ userId: 'u', attributes: { a: ['x', 1] } }, 400],
    [{ installationId: '00000000-0000-4000-8000-000000000000', attributes: { a: 1 } }, 404],
  ])('refuses %j with %i', async (body, status) => {
    expect((await set(body)).status).toBe(status)
  })
})
