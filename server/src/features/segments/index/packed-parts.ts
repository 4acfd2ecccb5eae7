import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { type ListedPart, numbersPerPart } from './listed-part.ts'

/** As processes tell it to each other. */
export interface PackedPart {
  upTo: number
  count: number
  bits: string
}

/** What is longer is not worth the way. */
const longestList = 8_000_000

/** Undefined: the list is too long. */
export function packParts(parts: readonly ListedPart[]): PackedPart[] | undefined {
  const packed: PackedPart[] = []
  let length = 0
  for (const { upTo, count, bits } of parts) {
    const text = deflateRawSync(bits, { level: 1 }).toString('base64')
    length += text.length
    if (length > longestList) return undefined
    packed.push({ upTo, count, bits: text })
  }
  return packed
}

export function unpackParts(packed: readonly PackedPart[]): ListedPart[] {
  return packed.map(({ upTo, count, bits }) => {
    const bytes = inflateRawSync(Buffer.from(bits, 'base64'), { maxOutputLength: numbersPerPart / 8 })
    return { upTo, count, bits: bytes }
  })
}
