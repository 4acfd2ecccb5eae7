import type { OnProgress } from '#base/store/backup/backup-progress.ts'
import { print } from '../print.ts'

const everyMs = 1_000

/** A line now and then, so that somebody who waits sees how far it is. */
export function createProgressLines(verb: string): OnProgress {
  let saidAtMs = performance.now()
  return ({ table, number, tables, rows }) => {
    const nowMs = performance.now()
    if (nowMs - saidAtMs < everyMs) return
    saidAtMs = nowMs
    print(`  ${verb} ${table} (table ${number} of ${tables}), ${countOf(rows, 'row')} so far`)
  }
}

export function countOf(count: number, what: string): string {
  return `${count.toLocaleString('en')} ${count === 1 ? what : `${what}s`}`
}
