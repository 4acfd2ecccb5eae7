/** The message that is to be taken away, where a push, or what came over the own connection, says so. */
export function readClear(content: unknown): string | undefined {
  const { clear, data } = asFields(content)
  const id = clear ?? asFields(data).clear
  return typeof id === 'string' ? id : undefined
}

function asFields(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
