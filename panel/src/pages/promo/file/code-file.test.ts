import { describe, expect, it } from 'vitest'
import { countCodes } from './count-codes.ts'
import { CsvColumn } from './csv-column.ts'
import { findColumns } from './find-columns.ts'
import { looksLikeHeader } from './find-header.ts'
import { FileTooLarge, maxFileBytes, readCodeFile } from './read-code-file.ts'
import { CodeScan, type ScannedFile } from './scan-codes.ts'

function scan(...pieces: (string | Uint8Array)[]): ScannedFile {
  const scanned = new CodeScan()
  for (const piece of pieces) scanned.push(typeof piece === 'string' ? new TextEncoder().encode(piece) : piece)
  return scanned.end()
}

describe('a file of codes, before it is uploaded', () => {
  it.each([
    ['A,10', 'columns'],
    ['A;10', 'columns'],
    ['A\t10', 'columns'],
    ['"A"', 'quotes'],
    ['A B', 'space'],
    ['A ', 'space'],
    ['x'.repeat(65), 'long'],
    ['کد', 'letters'],
    ['CAFÉ', 'letters'],
    ['A_B', 'character'],
  ])('says of the line %s why it is not a code', (text, fault) => {
    expect(scan(`OK-1\n${text}\nOK-2\n`).wrongLines).toEqual([{ line: 2, text, fault }])
  })

  it('counts rows, repeats and wrong lines, with the first line or without it', () => {
    const file = scan('\ufeffA\r\n\r\nB\r\nA\r\nB\r\n!\r\nC')
    expect(file).toMatchObject({ rows: 4, repeated: 1, wrong: 1, first: { line: 1, text: 'A', isRepeated: true } })
    expect(countCodes(file, false)).toMatchObject({ codes: 3, repeated: 2, wrong: 1 })
    expect(countCodes(file, true)).toMatchObject({ codes: 3, repeated: 1, wrong: 1 })
    expect(countCodes(scan('Promo code\nA\n'), false).wrongLines).toEqual([
      { line: 1, text: 'Promo code', fault: 'space', isRepeated: false },
    ])
    expect(countCodes(scan('N\nA\n'), false)).toMatchObject({ codes: 2, repeated: 0 })
    expect(countCodes(scan(''), false)).toMatchObject({ codes: 0 })
  })

  it('keeps the beginning of long lines only, and the first fifty wrong ones', () => {
    const file = scan('A\n', `${'é'.repeat(500)}\n`.repeat(60))
    expect(file.wrong).toBe(60)
    expect(file.wrongLines).toHaveLength(50)
    expect(file.wrongLines[0]?.text).toBe(`${'é'.repeat(40)}…`)
  })

  it('knows what is no text', () => {
    expect(scan(new Uint8Array([0xff, 0xfe, 0x41, 0])).format).toBe('utf-16')
    expect(scan(new Uint8Array([0x50, 0x4b, 3, 4, 20])).format).toBe('spreadsheet')
    expect(scan('PK-1\n').format).toBe('text')
  })

  it('tells very many codes apart', () => {
    const codes = Array.from({ length: 300_000 }, (_, index) => `PEYK-${index.toString(36).toUpperCase()}`)
    const file = scan(`${codes.join('\n')}\n`, `${codes.slice(0, 1_000).join('\n')}\n`)
    expect(countCodes(file, false)).toMatchObject({ codes: 300_000, repeated: 1_000 })
  })
})

describe('a header', () => {
  it.each([
    ['a word for codes', 'code\nSPRING\nSUMMER\n', true],
    ['a word for codes, with signs', 'Promo_Code\nA1\nB2\n', true],
    ['several columns', 'code,value\nA1\n', true],
    ['Persian', 'کد تخفیف\nA1\n', true],
    ['words in another language', 'Código promocional\nA1\n', true],
    ['a word without a digit before codes that have some', 'GUTSCHEIN\nA-1\nB-2\n', true],
    ['a header alone', 'code', true],
    ['a code like the others', 'SPRING\nSUMMER\nAUTUMN\n', false],
    ['a code with digits', 'A-1\nB-2\n', false],
    ['a wrong line that has digits', 'A 1\nB-2\n', false],
    ['a wrong line among wrong lines', 'hello there\ngood bye\n', false],
    ['nothing', '', false],
    ['a sign', '---\nA-1\nB-1\n', false],
  ])('is known: %s', (_title, text, isHeader) => {
    expect(looksLikeHeader(scan(text))).toBe(isHeader)
  })
})

describe('reading a file', () => {
  const signal = new AbortController().signal

  it('goes slice by slice, says how far it is, and lets others run in between', async () => {
    const file = new Blob([`${'C-1234567\n'.repeat(100_000)}`])
    const shares: number[] = []
    let others = 0
    const turn = setInterval(() => others++, 0)
    const { scanned } = await readCodeFile(file, { signal, onProgress: (share) => shares.push(share) })
    clearInterval(turn)
    expect(scanned.rows).toBe(99_999)
    expect(shares).toEqual([0.524288, 1])
    expect(others).toBeGreaterThan(0)
  })

  it('ends when nobody wants it any more', async () => {
    const stopped = new AbortController()
    const onProgress = () => stopped.abort()
    await expect(
      readCodeFile(new Blob(['A\n'.repeat(400_000)]), { signal: stopped.signal, onProgress }),
    ).rejects.toMatchObject({ name: 'AbortError' })
  })

  it('refuses what the service would not take', async () => {
    const large = { size: maxFileBytes + 1 } as Blob
    await expect(readCodeFile(large, { signal, onProgress: () => undefined })).rejects.toThrow(FileTooLarge)
  })
})

describe('a CSV', () => {
  const options = { signal: new AbortController().signal, onProgress: () => undefined }
  const bytes = (text: string) => new TextEncoder().encode(text)
  const read = async (text: string, column?: number) => {
    const { codes, ...rest } = await readCodeFile(new Blob([text]), { ...options, column })
    return { lines: (await codes.text()).split('\n'), ...rest }
  }

  it.each([
    ['by the name of the column', 'id,Promo code,value\n1,A-1,10\n2,A-2,10\n', 1],
    ['where most cells are different codes', 'value;number\n10;A-1\n10;A-2\n10;A-3\n', 1],
    ['with tabs', 'A-1\t10 EUR\nA-2\t10 EUR\n', 0],
  ])('has its codes found: %s', (_title, text, suggested) => {
    expect(findColumns(bytes(text))?.suggested).toBe(suggested)
  })

  it('is not seen in a file of one code per line, with a wrong line in it', () => {
    expect(findColumns(bytes('A-1\nA,2\nA-3\n'))).toBeUndefined()
  })

  it('gives one column, without quotation marks, with as many lines', async () => {
    const text = '\ufeff"name","code"\r\n"Rose, red","A-1"\r\n\r\n"say ""hi""", A-2 \r\nlast,\r\nx,"B ""3"""\r\n'
    const found = await read(text)
    expect(found.lines).toEqual(['code\r', 'A-1\r', '\r', 'A-2\r', '\r', 'B "3"\r', ''])
    expect(found).toMatchObject({ empty: 1, columns: { chosen: 1 }, scanned: { rows: 2, wrong: 1 } })
    expect((await read(text, 0)).lines[1]).toBe('Rose, red\r')
  })

  it('is the same in pieces of any size', () => {
    const text = bytes('\ufeffcode,"a ""b"", c"\n"A-1" , x\n A-2,"y\nz"\n')
    const whole = new CsvColumn({ separator: ',', column: 1 }).push(text)
    const csv = new CsvColumn({ separator: ',', column: 1 })
    expect([...text].flatMap((byte) => [...csv.push(Uint8Array.of(byte))])).toEqual([...whole])
    expect(new TextDecoder().decode(whole)).toBe('a "b", c\nx\ny z\n')
  })

  it('may have quotation marks that come late', async () => {
    const found = await read(`${'A-1\n'.repeat(30)}"B-1"\n`)
    expect(found.lines.at(-2)).toBe('B-1')
    expect(found.scanned.wrong).toBe(0)
  })
})
