import { chmod, rm } from 'node:fs/promises'
import type { TestProject } from 'vitest/node'
import { makeGuardedFolder } from '../runner/guard.ts'

declare module 'vitest' {
  interface ProvidedContext {
    preparedFolder: string
  }
}

/** Where prepared-folder.ts keeps what it has made. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const root = await makeGuardedFolder('peyk-prepared-')
  await chmod(root, 0o755)
  project.provide('preparedFolder', root)
  return () => rm(root, { recursive: true, force: true })
}
