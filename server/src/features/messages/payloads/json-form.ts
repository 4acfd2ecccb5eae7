import { randomUUID } from 'node:crypto'

/** A JSON text with holes that are filled in for each recipient. */
export interface JsonForm {
  /** One more than there are holes. */
  fixed: string[]
  fixedBytes: number
  holes: Hole[]
}

interface Hole {
  name: string
  /** 1 inside a JSON string, 2 inside JSON that is itself such a string, and so on. */
  depth: number
}

const secret = randomUUID()
const holeForm = new RegExp(`(\\\\*)"${secret}:(\\w+)\\\\*"`, 'g')

/**
 * Stands for a text that is not known yet. Its quotes say afterwards how often it was written as JSON: each time adds
 * backslashes. Nobody can send one, because nobody knows the secret.
 */
export function holeFor(name: string): string {
  return `"${secret}:${name}"`
}

export function cutForm(json: string): JsonForm {
  const fixed: string[] = []
  const holes: Hole[] = []
  let end = 0
  for (const match of json.matchAll(holeForm)) {
    const [whole, backslashes = '', name = ''] = match
    fixed.push(json.slice(end, match.index))
    holes.push({ name, depth: Math.log2(backslashes.length + 1) })
    end = match.index + whole.length
  }
  fixed.push(json.slice(end))
  return { fixed, fixedBytes: fixed.reduce((sum, text) => sum + Buffer.byteLength(text), 0), holes }
}

export function fillForm({ fixed, fixedBytes, holes }: JsonForm, textOf: (name: string) => string) {
  let json = fixed[0] as string
  let bytes = fixedBytes
  for (const [index, { name, depth }] of holes.entries()) {
    const written = writeInside(textOf(name), depth)
    bytes += Buffer.byteLength(written)
    json += written + fixed[index + 1]
  }
  return { json, bytes }
}

function writeInside(text: string, depth: number): string {
  let written = text
  for (let times = 0; times < depth; times++) written = JSON.stringify(written).slice(1, -1)
  return written
}
