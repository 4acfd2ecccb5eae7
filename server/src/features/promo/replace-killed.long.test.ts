import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import { poll } from '@peyk/test/runner/poll.ts'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import type { AppIdentity } from '#base/context.ts'
import { activeCodes, countRows, replace } from './promo.test-support.ts'

const store = await createTestStore()

/** Another process that uploads codes in no order, slowly enough to be met at its work. */
function startUpload(app: AppIdentity, blocks: number) {
  const from = (path: string) => JSON.stringify(join(import.meta.dirname, path))
  const program = `
    import { Readable } from 'node:stream'
    import { setTimeout as sleep } from 'node:timers/promises'
    import { pino } from 'pino'
    import { openStore } from ${from('../../base/store/store.ts')}
    import { replaceGlobalCodes } from ${from('./replace-global-codes.ts')}
    const store = openStore(${JSON.stringify(store.url)}, { poolSize: 2 })
    const ctx = { app: ${JSON.stringify(app)}, store, log: pino({ level: 'silent' }), now: () => new Date() }
    async function* blocks() {
      for (let block = 0; block < ${blocks}; block++) {
        yield Array.from({ length: 20_000 }, (_, index) => 'C-' + block + '-' + index + '\\n').join('')
        if (${blocks} > 100) await sleep(20)
      }
    }
    await replaceGlobalCodes(ctx, { file: Readable.from(blocks()) })`
  return spawn(process.execPath, ['--input-type=module', '-e', program], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
}

const countAtWork = async (statement: string) =>
  (
    await store.query(sql`
      select from pg_stat_activity
      where datname = current_database() and state = 'active' and query like ${`${statement}%`} and pid <> pg_backend_pid()`)
  ).length

describe('kill -9 during an upload', () => {
  it.each([
    ['while the file is read', 'copy promo_upload', 1_000],
    ['while the codes are stored', 'insert into promo_codes', 20],
  ])('%s leaves the old set and nothing of the new one', async (_title, statement, blocks) => {
    const ctx = await createTestApp(store)
    await replace(ctx, undefined, 'OLD\n')
    const child = startUpload(ctx.app, blocks)
    await poll(() => countAtWork(statement), { interval: 5 }).toBe(1)
    child.kill('SIGKILL')
    await once(child, 'exit')
    await poll(() => countAtWork(statement)).toBe(0)
    expect(await activeCodes(ctx)).toEqual(['OLD'])
    expect(await countRows(ctx, 'promo_sets')).toBe(1)
    expect(await countRows(ctx, 'promo_codes')).toBe(1)
    expect(await replace(ctx, undefined, 'NEW\n')).toMatchObject({ totalRows: 1 })
  })
})
