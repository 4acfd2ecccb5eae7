import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { connectRunningPostgres } from '@peyk/server/base/store/embedded/embedded-postgres.ts'
import { peyk } from '@peyk/server/entry/command/peyk-process.test-support.ts'
import { expect, it } from 'vitest'
import { makeGuardedFolder } from '../helpers/runner/guard.ts'
import { until } from '../helpers/runner/until.ts'
import { prepareService } from '../helpers/service/prepared-folder.ts'
import { freePort, ServiceProcess } from '../helpers/service/service-process.ts'
import { caller } from '../helpers/service/test-server.ts'
import { findLosses, startWriters } from './writers.ts'

const settings = { PEYK_MODE: 'production' }
const service = await prepareService('peyk-backed-up-')
await service.start(settings)

it('a backup made under load is restored onto a new folder with all that was answered before it, and verifies', async () => {
  const { accessToken } = await service.readDemo()
  const folder = await makeGuardedFolder('peyk-restored-')
  const file = join(folder, 'under-load.backup')
  const load = startWriters(service.baseUrl, accessToken, 8)
  const countAcknowledged = () => load.sent.filter(({ isAcknowledged }) => isAcknowledged).length
  await until(countAcknowledged, (count) => count > 200)
  const before = load.sent.filter(({ isAcknowledged }) => isAcknowledged)
  const made = await peyk(['backup', file], { env: { PEYK_DATA: service.dataFolder } })
  expect(made).toMatchObject({ code: 0, stderr: '' })
  expect(countAcknowledged()).toBeGreaterThan(before.length)
  await load.stop()
  expect(load.surprises).toEqual([])
  await service.end('SIGTERM')

  const restored = new ServiceProcess(join(folder, 'data'), await freePort())
  const env = { PEYK_DATA: restored.dataFolder }
  try {
    await mkdir(restored.dataFolder)
    await copyFile(join(service.dataFolder, 'secret.key'), join(restored.dataFolder, 'secret.key'))
    expect(await peyk(['restore', file], { env })).toMatchObject({ code: 0, stderr: '' })
    const again = await peyk(['restore', file], { env })
    expect(again).toMatchObject({ code: 1, stderr: expect.stringMatching(/not empty.*Set PEYK_DATA to a new folder/) })
    await restored.start(settings)
    const connection = await connectRunningPostgres(restored.dataFolder)
    expect(await findLosses(connection as object, before)).toEqual([])
    expect((await peyk(['verify'], { env })).stdout).toMatch(/All \d+ checks passed\.\n$/)

    const call = caller(restored.baseUrl, accessToken)
    expect((await call('GET', '/ready')).body).toMatchObject({ status: 'ready', sending: 'held' })
    const inUse = await peyk(['restore', file], { env })
    expect(inUse).toMatchObject({ code: 1, stderr: expect.stringContaining('is in use') })
    expect(await peyk(['resume', '--discard'], { env })).toMatchObject({ code: 0 })
    expect((await call('GET', '/ready')).body).not.toHaveProperty('sending')
    const metrics = await fetch(`${restored.baseUrl}/metrics`).then((answer) => answer.text())
    expect(metrics).toMatch(/^peyk_sending_held 0$/m)
    expect((await peyk(['verify'], { env })).stdout).toMatch(/All \d+ checks passed\.\n$/)
  } finally {
    await restored.remove()
  }
})
