import { randomFillSync } from 'node:crypto'

const bytesAtOnce = 4_096
const pool = Buffer.allocUnsafe(bytesAtOnce)
let used = bytesAtOnce

export const newTraceId = () => randomDigits(16)
export const newSpanId = () => randomDigits(8)

function randomDigits(bytes: number): string {
  if (used + bytes > bytesAtOnce) {
    randomFillSync(pool)
    used = 0
  }
  used += bytes
  return pool.toString('hex', used - bytes, used)
}
