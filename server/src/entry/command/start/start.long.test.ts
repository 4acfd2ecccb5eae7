import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTestStore } from '@peyk/test/database/test-store.ts'
import { poll } from '@peyk/test/runner/poll.ts'
import { copyPreparedFolder } from '@peyk/test/service/prepared-folder.ts'
import sql from 'sql-template-tag'
import { expect, it, onTestFinished } from 'vitest'
import { makeTestFolder, peyk } from '../peyk-process.test-support.ts'
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

it('peyk start in development makes new tokens when their file is lost, and the old ones do not work any more', async () => {
  const folder = await copyPreparedFolder('peyk-start-')
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  const demo = await readDemo(folder)
  await rm(join(folder, 'demo.json'))
  const lost = new Service({ PEYK_DATA: folder })
  const lostUrl = await lost.baseUrl()
  const renewed = await readDemo(folder)
  expect(renewed.accessToken).not.toBe(demo.accessToken)
  const count = (token: string) =>
    fetch(`${lostUrl}/api/segments`, { headers: { 'x-access-token': token } }).then((answer) => answer.status)
  expect([await count(demo.accessToken), await count(demo.clientKey), await count(renewed.accessToken)]).toEqual([
    401, 401, 200,
  ])
  expect(JSON.parse((await peyk(['app', 'list', '--json'], { env: { PEYK_DATA: folder } })).stdout)).toHaveLength(1)
  expect(
    JSON.parse((await peyk(['token', 'list', '--app', 'demo', '--json'], { env: { PEYK_DATA: folder } })).stdout),
  ).toHaveLength(2)
})

it('peyk start stays while its database is away, and is ready again when it is back', async () => {
  const folder = await copyPreparedFolder('peyk-start-')
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  const service = new Service({ PEYK_MODE: 'production', PEYK_DATA: folder })
  const baseUrl = await service.baseUrl()
  const isReady = () => fetch(`${baseUrl}/ready`).then((response) => response.status)
  expect(await isReady()).toBe(200)
  const postmaster = Number((await readFile(join(folder, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0])
  process.kill(postmaster, 'SIGKILL')
  await service.says('PostgreSQL ended unexpectedly')
  await poll(isReady).toBe(200)
  expect(await service.end('SIGTERM')).toBe(0)
})
