import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeTestFolder, peyk } from './peyk-process.test-support.ts'

describe('without a server that runs', () => {
  it('commands start the embedded database for themselves, also several at a time, and leave nothing running', async () => {
    const folder = await makeTestFolder('peyk-tools-')
    const own = { env: { PEYK_DATA: folder, PEYK_PORT: '1' } }
    expect(await peyk(['app', 'list'], own)).toEqual({
      code: 0,
      stdout: 'No apps yet: create one with peyk app create <label>.\n',
      stderr: '',
    })
    const created = await Promise.all(['a', 'b', 'c'].map((label) => peyk(['app', 'create', label], own)))
    expect(created.map(({ code, stderr }) => ({ code, stderr }))).toEqual(Array(3).fill({ code: 0, stderr: '' }))
    const apps = JSON.parse((await peyk(['app', 'list', '--json'], own)).stdout)
    expect(apps.map((app: { appId: string }) => app.appId)).toEqual(['a', 'b', 'c'])
    const { findings } = JSON.parse((await peyk(['doctor', '--json'], own)).stdout)
    expect(findings).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ area: 'service', code: 'not-running' }),
        expect.objectContaining({ area: 'database', state: 'ok', code: 'migrations' }),
      ]),
    )
    expect(await readdir(join(folder, 'postgres'))).not.toContain('postmaster.pid')
    expect(await readdir(folder)).not.toContain('peyk.pid')
  })
})
