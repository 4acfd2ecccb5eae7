import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import { createTestStore } from '../../../../test/helpers/test-store.ts'
import { makeTestFolder } from './peyk-process.test-support.ts'
import { readDemo, Service } from './start.test-support.ts'

const demoStore = await createTestStore()

it('peyk start in development has a whole demo or none after it was killed while making it', async () => {
  const folder = await makeTestFolder('peyk-start-')
  const env = { PEYK_DATA: folder, PEYK_DATABASE_URL: demoStore.url }
  const killed = new Service(env)
  await killed.says('filling the app')
  await killed.end('SIGKILL')
  const next = new Service(env)
  await next.baseUrl()
  expect(next.output).toContain('filled the app')
  expect(await demoStore.query(sql`select label from apps`)).toEqual([{ label: 'demo' }])
  expect(await demoStore.query(sql`select count(*) from users where not is_guest`)).toEqual([{ count: 300 }])
  expect(await next.end('SIGTERM')).toBe(0)

  await writeFile(join(folder, 'demo.json'), '{"accessToken":')
  const mended = new Service(env)
  await mended.baseUrl()
  expect((await readDemo(folder)).accessToken).toMatch(/^[0-9a-f]{40}$/)
  expect(mended.output).not.toContain('filled')
})
