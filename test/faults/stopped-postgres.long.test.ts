import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { until } from '../helpers/runner/until.ts'
import { prepareService } from '../helpers/service/prepared-folder.ts'
import { caller } from '../helpers/service/test-server.ts'

const service = await prepareService('peyk-stopped-')

/** PostgreSQL's own process and those of its sessions. */
async function signalPostgres(signal: 'SIGSTOP' | 'SIGCONT'): Promise<void> {
  const first = Number.parseInt(await readFile(join(service.dataFolder, 'postgres/postmaster.pid'), 'utf8'), 10)
  process.kill(first, signal)
  for (const name of await readdir('/proc')) {
    const parent = /^PPid:\s+(\d+)$/m.exec(await readFile(`/proc/${name}/status`, 'utf8').catch(() => ''))?.[1]
    if (Number(parent) === first) process.kill(Number(name), signal)
  }
}

it('a service whose PostgreSQL was stopped answers 503, and goes on by itself when it runs again', async () => {
  await service.start()
  const { accessToken } = await service.readDemo()
  const call = caller(service.baseUrl, accessToken)
  const track = (key: string) =>
    call('POST', '/api/installations/track', { userId: 'user-1', eventName: 'Stopped' }, { 'idempotency-key': key })
  expect((await track('before')).status).toBe(200)
  await signalPostgres('SIGSTOP')
  onTestFinished(() => signalPostgres('SIGCONT').catch(() => undefined))
  const answers = await Promise.all([track('a'), track('b'), call('GET', '/ready'), call('GET', '/api/messages')])
  expect(answers.map(({ status }) => status)).toEqual([503, 503, 503, 503])
  await signalPostgres('SIGCONT')
  for (const key of ['a', 'b'])
    await until(
      () => track(key).then(({ status }) => status),
      (status) => status === 200,
    )
  const { body } = await call('GET', '/api/events?userId=user-1')
  expect(JSON.stringify(body).match(/"Stopped"/g)?.length).toBe(3)
})
