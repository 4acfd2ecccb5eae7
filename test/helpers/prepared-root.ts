import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    preparedFolder: string
  }
}

/** Where prepared-folder.ts keeps what it has made. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const root = await mkdtemp(join(tmpdir(), 'peyk-prepared-'))
  await chmod(root, 0o755)
  project.provide('preparedFolder', root)
  return () => rm(root, { recursive: true, force: true })
}
