import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CodeLines, type CodeReading } from './code-lines.ts'

function check(pieces: (string | Buffer)[], reading: CodeReading = {}) {
  const lines = new CodeLines(reading)
  const out = pieces.map((piece) => lines.push(typeof piece === 'string' ? Buffer.from(piece) : piece))
  const text = Buffer.concat([...out, lines.end()]).toString()
  return { codes: text.split('\n').slice(0, -1), rows: lines.rows, badLines: lines.badLines }
}

const good = (codes: string[]) => ({ codes, rows: codes.length, badLines: [] })

describe('the lines of a promo file', () => {
  it.each([
    ['lines that end in LF', 'A-1\nB-2\n', ['A-1', 'B-2']],
    ['lines that end in CRLF', 'A-1\r\nB-2\r\n', ['A-1', 'B-2']],
    ['lines that end in CR', 'A-1\rB-2\r', ['A-1', 'B-2']],
    ['a last line without an end', 'A-1\nB-2', ['A-1', 'B-2']],
    ['blank lines', '\n\nA-1\r\n\r\n\r\rB-2\n\n', ['A-1', 'B-2']],
    ['a byte order mark', '\ufeffA-1\nB-2', ['A-1', 'B-2']],
    ['repeats', 'A\nA\nA\n', ['A', 'A', 'A']],
    ['a code of 64 characters', `${'x'.repeat(64)}\n`, ['x'.repeat(64)]],
    ['letters, digits and hyphens', 'azAZ09-\n-\n', ['azAZ09-', '-']],
    ['nothing', '', []],
    ['a byte order mark alone', '\ufeff', []],
    ['words that COPY could misread', 'NULL\nnull\n', ['NULL', 'null']],
  ])('take %s', (_title, text, codes) => {
    expect(check([text])).toEqual(good(codes))
  })

  it.each([
    ['a code of 65 characters', `A\n${'x'.repeat(65)}\nB\n`, [2]],
    ['a space', 'A \n B\n', [1, 2]],
    ['quotes', 'A\n"B"\nC\n', [2]],
    ['two columns', 'A,1\n', [1]],
    ['letters beyond ASCII', 'A\nکد\n', [2]],
    ['a byte order mark in the middle', 'A\n\ufeffB\n', [2]],
    ['half a byte order mark', Buffer.from([0xef, 0xbb, 0x41]), [1]],
    ['half a byte order mark alone', Buffer.from([0xef, 0xbb]), [1]],
    ['UTF-16', Buffer.from('\ufeffA\n', 'utf16le'), [1, 2]],
    ['the end mark of COPY', 'A\n\\.\nB\n', [2]],
    ['a NUL', 'A\0\nB\n', [1]],
    ['bad lines that end in CR and CRLF', '!\rA\r\n!\r\nB\r\n!', [1, 3, 5]],
    ['a bad line after a CR', 'A\r!\nB\n!\n', [2, 4]],
    ['a bad last line', 'A\n!', [2]],
  ])('refuse %s', (_title, text, badLines) => {
    expect(check([text]).badLines).toEqual(badLines)
  })

  it('give nothing more out after a bad line', () => {
    const lines = new CodeLines()
    expect(lines.push(Buffer.from('A\nB\n')).toString()).toBe('A\nB\n')
    expect(lines.push(Buffer.from('C\n!\nD\n'))).toHaveLength(0)
    expect(lines.push(Buffer.from('E\n'))).toHaveLength(0)
  })

  it('count bad lines as rows, and name the first ten', () => {
    const { rows, badLines } = check(['!\n'.repeat(25)])
    expect(rows).toBe(25)
    expect(badLines).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })

  it('are done with an endless line at its 65th byte', () => {
    const lines = new CodeLines()
    expect(lines.push(Buffer.alloc(64, 'x'))).toHaveLength(0)
    expect(lines.badLines).toEqual([])
    const piece = Buffer.alloc(1024 * 1024, 'x')
    for (let count = 0; count < 64; count++) expect(lines.push(piece)).toHaveLength(0)
    expect(lines.badLines).toEqual([1])
    expect(lines.end()).toHaveLength(0)
    expect(lines.rows).toBe(1)
  })

  it('are the same wherever the file is cut', () => {
    const piece = fc.constantFrom('A', 'b-9', 'x'.repeat(40), '\n', '\r', '\r\n', '!', ' ', '"', '\ufeff', '\n\n')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.array(fc.nat(200), { maxLength: 8 }), (pieces, cuts) => {
        const file = Buffer.from(pieces.join(''))
        const places = [0, ...cuts.map((cut) => Math.min(cut, file.length)).sort((a, b) => a - b), file.length]
        const cut = places.slice(1).map((place, index) => file.subarray(places[index], place))
        expect(check(cut)).toEqual(reference(pieces.join('')))
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('a header', () => {
  const header = { hasHeader: true }

  it.each([
    ['a word', 'code\nA\nB\n'],
    ['words that are no code', 'promo code;"value"\r\nA\r\nB\r\n'],
    ['one after blank lines', '\n\r\n\rcode\rA\rB'],
    ['one after a byte order mark', '\ufeffcode\nA\nB\n'],
    ['one that is longer than a code', `${'x'.repeat(500)}\nA\n\nB\n`],
    ['one that begins with half a byte order mark', Buffer.from([0xef, 0xbb, 0x0a, 0x41, 0x0a, 0x42])],
  ])('is left out: %s', (_title, text) => {
    expect(check([text], header)).toEqual(good(['A', 'B']))
  })

  it('keeps the numbers of the lines after it', () => {
    expect(check(['\ncode\nA\n!\n'], header).badLines).toEqual([4])
  })

  it('alone leaves nothing', () => {
    for (const text of ['code', 'code\n', '\ufeff', Buffer.from([0xef, 0xbb])]) {
      expect(check([text], header)).toEqual(good([]))
    }
  })

  it('is the same wherever the file is cut', () => {
    const file = Buffer.from('\ufeff\r\nmy code!\r\nA\r\n!\r\nB')
    for (let cut = 0; cut <= file.length; cut++) {
      const both = check([file.subarray(0, cut), file.subarray(cut)], { ...header, leaveOutBadLines: true })
      expect(both).toEqual({ codes: ['A', 'B'], rows: 2, badLines: [4] })
    }
  })
})

describe('lines that are left out', () => {
  it('are counted apart, and all the others come out', () => {
    const lines = new CodeLines({ leaveOutBadLines: true })
    const out = [
      lines.push(Buffer.from(`A\n${'!\n'.repeat(25)}B\n${'x'.repeat(65)}`)),
      lines.push(Buffer.from('y\nC\n!')),
    ]
    expect(Buffer.concat([...out, lines.end()]).toString()).toBe('A\nB\nC\n')
    expect(lines).toMatchObject({ rows: 3, leftOut: 27, isRefused: false, isHopeless: false })
    expect(lines.badLines).toHaveLength(10)
  })
})

/** The same in one go. */
function reference(text: string) {
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/)
  const bad = lines.flatMap((line, index) => (/^[A-Za-z0-9-]{0,64}$/.test(line) ? [] : [index + 1]))
  const rows = lines.filter((line) => line !== '')
  // What came before a bad line may have been given out already, so there it does not matter.
  return { codes: bad.length > 0 ? expect.anything() : rows, rows: rows.length, badLines: bad.slice(0, 10) }
}
