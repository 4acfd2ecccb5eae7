import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTestApp } from '@peyk/test/database/test-store.ts'
import { until } from '@peyk/test/runner/until.ts'
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { Context } from '#base/context.ts'
import { Replication } from '#base/store/replication/replication.ts'
import { countSegment } from '../count/count-segment.ts'
import { makeWorld, storeWorld } from '../world.test-support.ts'
import { findLogPosition, readLogPosition } from './index-store.ts'
import { createLogStore, openTestIndexes } from './log-store.test-support.ts'
import type { SegmentIndexes } from './segment-indexes.ts'

const at = new Date('2026-11-15T10:00:00.000Z')
/** What slots may hold, what there is of the log without them, and a file of it. */
const [keptMb, logMb, segmentMb] = [16, 64, 4]
const pageBytes = 8_192
const { store, dataFolder, administer } = await createLogStore({
  max_slot_wal_keep_size: `${keptMb}MB`,
  max_wal_size: `${logMb}MB`,
  min_wal_size: '32MB',
})
const indexes = openTestIndexes(store)
let ctx: Context
let everybody = 0

beforeAll(async () => {
  ctx = await createTestApp(store, { at: () => at })
  await storeWorld(ctx, makeWorld(31, { people: 60, devices: 150 }, at.getTime()))
  everybody = await countAll()
  await openIndex()
})

const countAll = async () => (await countSegment(ctx, { target: {} })).count
const askEverybody = (all: SegmentIndexes) => all.count({ appId: ctx.app.id, conditions: [], atMs: at.getTime() })
const findIndex = () => indexes.find(ctx.app.id)
const listSlots = () => store.query<{ slot_name: string }>(sql`select slot_name from pg_replication_slots`)

async function readHeldMb(): Promise<number> {
  const [row] = await store.query<{ mb: number }>(
    sql`select max(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn))::float8 / 1048576 as mb from pg_replication_slots`,
  )
  return row?.mb ?? 0
}

async function readMbSinceCheckpoint(): Promise<number> {
  const [row] = await store.query<{ mb: number }>(
    sql`select pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn)::float8 / 1048576 as mb from pg_control_checkpoint()`,
  )
  return row?.mb as number
}

async function readEndsOfLog(): Promise<{ flushed: number; written: number }> {
  const [row] = await store.query<{ flushed: number; written: number }>(
    sql`select pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0') as flushed,
          pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as written`,
  )
  return row as { flushed: number; written: number }
}

/** Flushing has stopped at the end of a page. */
const isAmidRecord = ({ flushed, written }: { flushed: number; written: number }) =>
  flushed < written && flushed % pageBytes === 0

/** What is found amid a record, unless PostgreSQL flushed the rest for reasons of its own meanwhile. */
async function findAmidRecord() {
  await store.query(sql`drop table if exists read_later`)
  await store.query(sql`create table read_later as select repeat('x', 500) from generate_series(1, 2000)`)
  await administer('checkpoint')
  // The first read after a commit writes into the pages, and so into the log.
  await store.query(sql`select count(*) from read_later`)
  const before = await until(readEndsOfLog, (ends) => isAmidRecord(ends) || ends.flushed === ends.written)
  const found = await store.transaction((tx) => findLogPosition(tx))
  const after = await readEndsOfLog()
  return { found, flushed: before.flushed, isStill: isAmidRecord(before) && after.flushed === before.flushed }
}

const openIndex = () => openIndexOf(indexes)

/** Whoever asks opens it. */
async function openIndexOf(all: SegmentIndexes): Promise<void> {
  const counts = await until(
    () => askEverybody(all).catch(() => undefined),
    (found) => found !== undefined,
  )
  expect(counts?.left).toEqual([everybody])
}

describe('when the index of segments is lost, SQL answers until it is back', () => {
  it('after its connection was ended', async () => {
    const index = findIndex()
    await store.query(
      sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'peyk follows'`,
    )
    await index?.ended
    expect(await countAll()).toBe(everybody)
    await openIndex()
    expect(findIndex()).not.toBe(index)
  })

  it('after another PostgreSQL has become the primary, whose log is another one', async () => {
    const index = findIndex()
    // Whoever asks for the position meanwhile, to watch over the index, is told the same.
    const query = vi.spyOn(store, 'query').mockResolvedValue([{ timeline: 99, position: 0 }])
    expect(await askEverybody(indexes)).toBeUndefined()
    query.mockRestore()
    await index?.ended
    await openIndex()
    expect(findIndex()).not.toBe(index)
  })

  it('after its thread was killed', async () => {
    await findIndex()?.close()
    expect(await countAll()).toBe(everybody)
    await openIndex()
  })

  it('after PostgreSQL was killed', async () => {
    const index = findIndex()
    const [pid] = (await readFile(join(dataFolder, 'postgres/postmaster.pid'), 'utf8')).split('\n')
    process.kill(Number(pid), 'SIGKILL')
    await index?.ended
    await until(
      () => countAll().catch(() => undefined),
      (count) => count !== undefined,
    )
    expect(await countAll()).toBe(everybody)
    await openIndex()
  })

  it('after a table was emptied', async () => {
    const index = findIndex()
    await store.query(sql`truncate user_tags`)
    await index?.ended
    expect(await countAll()).toBe(everybody)
    await openIndex()
  })
})

describe('the index of segments', () => {
  it('waits for no position amid a record, of which nobody flushes the rest', async () => {
    const { found, flushed } = await until(findAmidRecord, ({ isStill }) => isStill)
    // Whoever has a transaction open cannot commit for it, and would wait for what comes later.
    expect(found).toBeUndefined()
    const { position } = await readLogPosition(store)
    expect(position).toBeGreaterThan(flushed)
    expect((await readEndsOfLog()).flushed).toBeGreaterThanOrEqual(position)
  })

  it('loses its slot rather than hold more of the log than the server allows', async () => {
    await indexes.close()
    const replication = new Replication(await store.findAddress())
    await replication.open()
    await store.query(sql`create table filler (text text)`)
    const held: number[] = []
    for (let written = 0; written < 5 * (logMb + keptMb); written += 8) {
      // On a busy machine the log may grow faster than its checkpoints end.
      if ((await readMbSinceCheckpoint()) > logMb) await administer('checkpoint')
      await store.query(sql`insert into filler select repeat('x', 1000) from generate_series(1, 8000)`)
      held.push(await readHeldMb())
    }
    expect(Math.max(...held), 'it was held').toBeGreaterThan(keptMb / 2)
    expect(Math.max(...held), 'until the next checkpoint').toBeLessThanOrEqual(logMb + keptMb + segmentMb)
    await administer('checkpoint')
    expect(await listSlots()).toEqual([])
    const files = await readdir(join(dataFolder, 'postgres/pg_wal'))
    const log = files.filter((name) => /^[0-9A-F]{24}$/.test(name))
    expect(log.length * segmentMb).toBeLessThanOrEqual(logMb + keptMb + segmentMb)
    await expect(replication.copy([{ query: 'select 1', onRow() {} }])).rejects.toThrow(/has ended|does not exist/)
    await replication.close()
    const anew = openTestIndexes(store)
    await openIndexOf(anew)
    await anew.close()
  })

  it('gives its slot back when it is closed, and when nobody asks any more', async () => {
    const idle = openTestIndexes(store, { idleMs: 1, watchEveryMs: 20 })
    await until(
      () => askEverybody(idle).then(() => idle.find(ctx.app.id)),
      (index) => index !== undefined,
    )
    await until(
      () => idle.find(ctx.app.id),
      (index) => index === undefined,
    )
    await until(listSlots, (slots) => slots.length === 0)
  })

  it('ends rather than take more memory than it may, or than fall too far behind', async () => {
    for (const limits of [{ memoryMb: 1 }, { logMb: -1, watchEveryMs: 20, fromInstallations: 1 }]) {
      const bound = openTestIndexes(store, { ...limits, tooLargeRetryMs: 60_000, firstRetryMs: 60_000 })
      const index = await until(
        () => askEverybody(bound).then(() => bound.find(ctx.app.id)),
        (found) => found !== undefined,
      )
      const end = await index?.ended
      expect(end?.isTooLarge).toBe('memoryMb' in limits)
      expect(bound.find(ctx.app.id)).toBeUndefined()
      await bound.close()
    }
  })
})
