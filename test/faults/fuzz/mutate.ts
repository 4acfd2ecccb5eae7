import type { Chance } from './chance.ts'
import { nastyValue } from './nasty.ts'

type Path = (string | number)[]

const extraKeys = ['extra', '__proto__', 'toString', 'a.b', '', 'idempotencyKey']

/** The example with up to three of its parts replaced, removed or added to. */
export function mutateValue(chance: Chance, example: unknown): unknown {
  const paths = pathsOf(example)
  let value = example
  for (let edits = 1 + chance.int(3); edits > 0; edits--) {
    const path = chance.pick(paths)
    const replacement = chance.is(0.17) ? undefined : nastyValue(chance)
    try {
      value = change(value, chance.is(0.2) ? [...path, chance.pick(extraKeys)] : path, replacement)
    } catch {
      // An earlier edit has removed the place.
    }
  }
  return value
}

function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  const deeper = Object.entries(value).flatMap(([key, item]) =>
    pathsOf(item, [...path, Array.isArray(value) ? Number(key) : key]),
  )
  return [path, ...deeper]
}

function change(root: unknown, path: Path, replacement: unknown): unknown {
  if (path.length === 0) return replacement
  const copy = structuredClone(root)
  let node = copy as Record<string | number, unknown>
  for (const key of path.slice(0, -1)) node = node[key] as Record<string | number, unknown>
  const last = path.at(-1) as string | number
  if (replacement === undefined) delete node[last]
  // An own key, also where it is `__proto__`.
  else Object.defineProperty(node, last, { value: replacement, enumerable: true, configurable: true, writable: true })
  return copy
}

/** Bytes flipped, cut, doubled, put in or put in again elsewhere. */
export function mutateBytes(chance: Chance, given: Buffer): Buffer {
  let bytes = Buffer.from(given)
  for (let edits = 1 + chance.int(4); edits > 0; edits--) {
    const at = chance.int(bytes.length + 1)
    const length = chance.int(Math.min(64, bytes.length - at) + 1)
    switch (chance.int(6)) {
      case 0:
        if (at < bytes.length) bytes[at] = chance.int(256)
        break
      case 1:
        if (at < bytes.length) bytes[at] = (bytes[at] as number) ^ (1 << chance.int(8))
        break
      case 2:
        bytes = bytes.subarray(0, at)
        break
      case 3:
        bytes = Buffer.concat([bytes.subarray(0, at), chance.bytes(chance.int(16)), bytes.subarray(at)])
        break
      case 4:
        bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)])
        break
      default:
        bytes = Buffer.concat([bytes.subarray(0, at + length), bytes.subarray(at)])
    }
  }
  return bytes
}

/** In one piece, or cut where it hurts. */
export function splitBytes(chance: Chance, bytes: Buffer): Buffer[] {
  if (bytes.length < 2 || chance.is(0.6)) return [bytes]
  const cuts = chance.list(1, 4, () => 1 + chance.int(bytes.length - 1)).sort((a, b) => a - b)
  const ends = [...cuts, bytes.length]
  return ends
    .map((end, index) => bytes.subarray(index === 0 ? 0 : ends[index - 1], end))
    .filter(({ length }) => length > 0)
}
