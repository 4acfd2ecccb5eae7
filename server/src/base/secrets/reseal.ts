import type { SecretBox } from './secret-box.ts'

/** The same secret sealed with the first key; undefined when it was sealed with a key that is not here. */
export function reseal(box: SecretBox, sealed: Buffer): Buffer | undefined {
  try {
    return box.seal(box.open(sealed))
  } catch {
    return undefined
  }
}

export interface Resealed {
  count: number
  /** What could not be opened, and stays as it is. */
  unreadable: string[]
}
