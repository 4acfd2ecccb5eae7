import { CodeLines } from '@peyk/server/features/promo/code-lines.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countCodes } from '../../panel/src/pages/promo/file/count-codes.ts'
import { CodeScan } from '../../panel/src/pages/promo/file/scan-codes.ts'

function scan(...pieces: Uint8Array[]) {
  const scanned = new CodeScan()
  for (const piece of pieces) scanned.push(piece)
  return scanned.end()
}

describe('the panel’s preview of a file of codes', () => {
  it('has the rows and the wrong lines that the service will find, wherever it is cut', () => {
    const piece = fc.constantFrom('A', 'b-9', 'x'.repeat(40), '\n', '\r', '\r\n', '!', ' ', '"', 'é', '\n\n')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.nat(200), (pieces, cut) => {
        const bytes = Buffer.from(pieces.join(''))
        const place = Math.min(cut, bytes.length)
        const whole = place < 4 ? scan(bytes) : scan(bytes.subarray(0, place), bytes.subarray(place))
        const service = new CodeLines({ leaveOutBadLines: true })
        const out = Buffer.concat([service.push(bytes), service.end()])
          .toString()
          .split('\n')
          .slice(0, -1)
        const counts = countCodes(whole, false)
        expect(counts).toMatchObject({ codes: new Set(out).size, wrong: service.leftOut })
        expect(counts.codes + counts.repeated).toBe(service.rows)
        expect(counts.wrongLines.slice(0, 10).map(({ line }) => line)).toEqual(service.badLines)
      }),
      { numRuns: 1_000 },
    )
  })
})
