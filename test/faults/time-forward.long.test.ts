import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { until } from '../helpers/runner/until.ts'
import { prepareService } from '../helpers/service/prepared-folder.ts'
import { caller } from '../helpers/service/test-server.ts'

const DAY = 86_400_000
const service = await prepareService('peyk-forward-')
const command = join(import.meta.dirname, '../../server/bin/peyk.js')

it('a service that runs follows when time is put forward, and still does after a restart', async () => {
  await service.start()
  const { accessToken } = await service.readDemo()
  const track = async () => {
    const call = caller(service.baseUrl, accessToken)
    const { body } = await call('POST', '/api/installations/track', { userId: 'user-1', eventName: 'Look' })
    // A UUIDv7 begins with its time.
    return Number.parseInt(String(body.id).replaceAll('-', '').slice(0, 12), 16) - Date.now()
  }
  expect(await track()).toBeLessThan(DAY)
  const env = { ...process.env, PEYK_DATA: service.dataFolder }
  const { stdout } = await promisify(execFile)(process.execPath, [command, 'time', 'forward', '7d'], { env })
  expect(stdout).toMatch(/^It is \d{4}-\d\d-\d\d \d\d:\d\d UTC now/)
  await until(track, (aheadMs) => aheadMs > 6 * DAY)
  await service.end('SIGTERM')
  await service.start()
  expect(await track()).toBeGreaterThan(6 * DAY)
})
