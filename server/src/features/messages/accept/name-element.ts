import { RequestError } from '#base/errors.ts'

/** A fault of an element of an array says which one it is. */
export function nameElement<T>(index: number, work: () => T): T {
  try {
    const done = work()
    return done instanceof Promise ? (done.catch((error) => rethrow(index, error)) as T) : done
  } catch (error) {
    return rethrow(index, error)
  }
}

function rethrow(index: number, error: unknown): never {
  if (!(error instanceof RequestError)) throw error
  throw new RequestError(error.code, `Element ${index}: ${error.message}`, { details: { ...error.details, index } })
}
