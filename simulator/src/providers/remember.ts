/** Keeps the newest results of a costly question, such as whether a signature is right. */
export function remember<T>(size: number, ask: (text: string) => T): (text: string) => T {
  const results = new Map<string, T>()
  return (text) => {
    const known = results.get(text)
    if (known !== undefined) return known
    const result = ask(text)
    if (results.size >= size) results.delete(results.keys().next().value as string)
    results.set(text, result)
    return result
  }
}
