import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { Store } from '@peyk/server/base/store/store.ts'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { raw } from 'sql-template-tag'

const chunkBytes = 64 * 1024

/** What `copy … to stdout` gives, in memory. */
export function readByCopy(store: Store, source: string): Promise<Buffer> {
  return store.transaction((tx) => buffer(tx.client.query(copyTo(`copy ${source} to stdout`))))
}

/** `copy … from stdin` and its commit: the fastest way of many rows into a table. */
export function writeByCopy(store: Store, target: string, rows: Buffer): Promise<void> {
  return copyStream(store, target, Readable.from(inChunks(rows)))
}

export function copyFile(store: Store, target: string, file: string): Promise<void> {
  return copyStream(store, target, createReadStream(file, { highWaterMark: chunkBytes }))
}

async function copyStream(store: Store, target: string, source: Readable): Promise<void> {
  await store.transaction(async (tx) => {
    await tx.query(raw('set local statement_timeout = 0'))
    await pipeline(source, tx.client.query(copyFrom(`copy ${target} from stdin`)))
  })
}

function* inChunks(rows: Buffer): Iterable<Buffer> {
  for (let start = 0; start < rows.length; start += chunkBytes) yield rows.subarray(start, start + chunkBytes)
}
