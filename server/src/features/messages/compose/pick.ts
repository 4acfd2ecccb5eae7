/** Those of these fields that are there. */
export function pick<T extends object, Key extends keyof T>(source: T, keys: readonly Key[]): Pick<T, Key> {
  const picked = {} as Pick<T, Key>
  for (const key of keys) if (source[key] !== undefined) picked[key] = source[key]
  return picked
}
