import type { Condition, FittedRule } from '../condition.ts'
import { findAudience } from './find-audience.ts'
import { type ListedPart, numbersPerPart } from './listed-part.ts'
import type { SegmentData } from './segment-data.ts'

/** The numbers of the installations for which all conditions hold. */
export function listRows(data: SegmentData, conditions: readonly Condition<FittedRule>[]): ListedPart[] {
  const found = findAudience(data, conditions)
  const parts = new Map<number, ListedPart>()
  let part: ListedPart | undefined
  for (let word = 0; word < found.length; word++) {
    for (let left = found[word] as number; left !== 0; left &= left - 1) {
      const no = data.installationAt(word * 32 + 31 - Math.clz32(left & -left))
      const upTo = Math.ceil(no / numbersPerPart) * numbersPerPart
      // Neighbouring rows mostly have neighbouring numbers.
      if (part?.upTo !== upTo) part = partOf(parts, upTo)
      const place = no - upTo + numbersPerPart - 1
      part.bits[place >>> 3] = (part.bits[place >>> 3] as number) | (1 << (place & 7))
      part.count++
    }
  }
  return [...parts.values()]
}

function partOf(parts: Map<number, ListedPart>, upTo: number): ListedPart {
  const known = parts.get(upTo)
  if (known) return known
  const opened = { upTo, count: 0, bits: new Uint8Array(numbersPerPart / 8) }
  parts.set(upTo, opened)
  return opened
}
