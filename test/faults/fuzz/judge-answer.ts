import { errorCatalogue } from '@peyk/server/base/errors.ts'

export interface GivenAnswer {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
}

const leaks = /\n\s+at |\.[jt]s:\d+:\d+|syntax error|relation "|column "|node_modules/

/** What is wrong with an answer; undefined when it is one that docs/reference/errors.md has. */
export function judgeAnswer(method: string, { status, headers, text }: GivenAnswer): string | undefined {
  if (status < 400 || method === 'HEAD') return status >= 500 ? `it is a ${status}` : undefined
  const error = readError(text)
  if (!error) return `it is a ${status} without an error that can be read`
  const { code, name, message, requestId } = error
  const documented = Object.hasOwn(errorCatalogue, String(code))
    ? errorCatalogue[code as keyof typeof errorCatalogue]
    : undefined
  if (!documented || documented.status !== status || error.status !== status)
    return `it is a ${status} with the code "${code}"`
  if (typeof name !== 'string' || typeof message !== 'string' || typeof requestId !== 'string') return 'it lacks a part'
  if (leaks.test(message)) return 'its message tells of our insides'
  if (status < 500) return undefined
  // Others of the same app, or on the same rows, may be in the way: many requests run at a time. Nothing else may be.
  const isBusy = code === 'store-busy' && headers['retry-after'] !== undefined
  return isBusy ? undefined : `it is a ${status} "${code}"`
}

function readError(text: string): Record<string, unknown> | undefined {
  try {
    const { error } = JSON.parse(text)
    return typeof error === 'object' && error !== null ? error : undefined
  } catch {
    return undefined
  }
}
