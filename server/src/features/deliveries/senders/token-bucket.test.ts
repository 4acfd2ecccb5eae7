import { describe, expect, it } from 'vitest'
import { TokenBucket } from './token-bucket.ts'

function takeAll(bucket: TokenBucket, nowMs: number): number {
  let count = 0
  while (bucket.take(nowMs)) count++
  return count
}

describe('a token bucket', () => {
  it('gives a tenth of a second at once, and then its rate', () => {
    const bucket = new TokenBucket(1_000, 0)
    expect(takeAll(bucket, 0)).toBe(100)
    expect(takeAll(bucket, 50)).toBe(50)
    let given = 0
    for (let ms = 50; ms <= 1_050; ms += 10) given += takeAll(bucket, ms)
    expect(given).toBe(1_000)
  })

  it('does not save up what was not taken', () => {
    const bucket = new TokenBucket(1_000, 0)
    expect(takeAll(bucket, 60_000)).toBe(100)
  })

  it('takes another rate, and stays as slow as it was made', () => {
    const bucket = new TokenBucket(1_000, 0)
    bucket.setRate(500, 0)
    expect(takeAll(bucket, 0)).toBe(50)
    expect(takeAll(bucket, 50)).toBe(25)
    bucket.slowDown(50)
    bucket.setRate(1_000, 50)
    expect(takeAll(bucket, 100)).toBe(25)
  })

  it('says when the next is there', () => {
    const bucket = new TokenBucket(10, 0)
    takeAll(bucket, 0)
    const ms = bucket.msUntilNext(0)
    expect(bucket.take(ms - 1)).toBe(false)
    expect(bucket.take(ms)).toBe(true)
  })

  it('halves its rate once for all answers of a moment, and comes back slowly', () => {
    const bucket = new TokenBucket(1_000, 0)
    takeAll(bucket, 0)
    for (let answer = 0; answer < 50; answer++) bucket.slowDown(0)
    let given = 0
    for (let ms = 0; ms <= 1_000; ms += 10) given += takeAll(bucket, ms)
    expect(given).toBeGreaterThan(450)
    expect(given).toBeLessThan(550)
    let later = 0
    for (let ms = 1_000; ms <= 20_000; ms += 10) {
      const taken = takeAll(bucket, ms)
      if (ms > 19_000) later += taken
    }
    expect(later).toBeGreaterThan(950)
  })
})
