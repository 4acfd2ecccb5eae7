import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { makeGuardedFolder } from '@peyk/test/runner/guard.ts'
import { expect, it } from 'vitest'
import { ConfigError } from '../config.ts'
import { loadSecretKeys } from './secret-key.ts'

it('the key of a data folder is made once', async () => {
  const dataFolder = join(await makeGuardedFolder('peyk-key-'), 'new')
  const [made] = await loadSecretKeys({ secretKeys: [], dataFolder })
  expect(await loadSecretKeys({ secretKeys: [], dataFolder })).toEqual([made])
})

it('a key that cannot be read is told in one line', async () => {
  const dataFolder = await makeGuardedFolder('peyk-key-')
  await mkdir(join(dataFolder, 'secret.key'))
  const path = join(dataFolder, 'secret.key')
  await expect(loadSecretKeys({ secretKeys: [], dataFolder })).rejects.toEqual(
    new ConfigError(`The key in ${path} cannot be read: EISDIR.`),
  )
})
