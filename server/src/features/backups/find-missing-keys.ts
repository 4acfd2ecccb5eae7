import { createSecretBox } from '#base/secrets/secret-box.ts'

/** The ids of the keys that are needed to open these secrets and are not among those given. */
export function findMissingKeys(sealed: readonly Buffer[], keys: readonly Buffer[]): string[] {
  const box = keys.length > 0 ? createSecretBox(keys) : undefined
  return sealed.filter((secret) => !box || !opens(() => box.open(secret))).map((secret) => secret.toString('hex', 0, 4))
}

function opens(open: () => string): boolean {
  try {
    open()
    return true
  } catch {
    return false
  }
}
