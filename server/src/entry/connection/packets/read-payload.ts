import { checkText } from '../../http/read/check-text.ts'

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Undefined for what is no UTF-8. */
export function readText(payload: Buffer): string | undefined {
  try {
    return decoder.decode(payload)
  } catch {
    return undefined
  }
}

/** Undefined for what is no JSON, or holds what the store cannot keep. */
export function readJson(payload: Buffer): unknown {
  const text = readText(payload)
  if (text === undefined) return undefined
  try {
    const value = JSON.parse(text)
    checkText(text, value)
    return value
  } catch {
    return undefined
  }
}
