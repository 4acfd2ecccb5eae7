import { enableCompileCache, flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/** Node itself reads the TypeScript of tests and product. What a worker has compiled others need not, nor the service. */
enableCompileCache(join(import.meta.dirname, '../../../node_modules/.cache/peyk'))
// Workers are ended by a signal.
afterAll(() => flushCompileCache())
