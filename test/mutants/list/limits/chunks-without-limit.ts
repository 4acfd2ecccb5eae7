import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'a body may come in any number of chunks',
  file: 'server/src/entry/http/read/limit-chunks.ts',
  find: 'if (chunks <= freeChunks + bytes / bytesPerChunk) {',
  replace: 'if (chunks > 0) {',
  tests: ['server/src/entry/http/read/limit-chunks.test.ts'],
}
