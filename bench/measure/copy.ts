import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { raw } from 'sql-template-tag'
import type { Store } from '../../server/src/base/store/store.ts'

const chunkBytes = 64 * 1024

/** What `copy … to stdout` gives, in memory. */
export function readByCopy(store: Store, source: string): Promise<Buffer> {
  return store.transaction((tx) => buffer(tx.client.query(copyTo(`copy ${source} to stdout`))))
}

/** `copy … from stdin` and its commit: the fastest way of many rows into a table. */
export async function writeByCopy(
  store: Store,
  target: string,
  source: Iterable<Buffer> | AsyncIterable<Buffer>,
): Promise<void> {
  await store.transaction(async (tx) => {
    await tx.query(raw('set local statement_timeout = 0'))
    await pipeline(Readable.from(inChunks(source)), tx.client.query(copyFrom(`copy ${target} from stdin`)))
  })
}

async function* inChunks(source: Iterable<Buffer> | AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  for await (const part of source) {
    for (let start = 0; start < part.length; start += chunkBytes) yield part.subarray(start, start + chunkBytes)
  }
}
