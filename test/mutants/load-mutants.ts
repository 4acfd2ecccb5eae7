import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Mutant } from './mutant.ts'

const folder = join(import.meta.dirname, 'list')

/** Those whose file's name has one of the words; all when there are none. */
export async function loadMutants(words: readonly string[]): Promise<{ id: string; mutant: Mutant }[]> {
  const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.ts'))
  const ids = files.map((name) => name.slice(0, -3))
  const chosen = ids.filter((id) => words.length === 0 || words.some((word) => id.includes(word))).sort()
  return Promise.all(
    chosen.map(async (id) => ({ id, mutant: (await import(join(folder, `${id}.ts`))).mutant as Mutant })),
  )
}
