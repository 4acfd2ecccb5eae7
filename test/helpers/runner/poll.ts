import { expect } from 'vitest'
import { until } from './until.ts'
import { waitLimitMs } from './wait-limit.ts'

type Assertion<T> = ReturnType<typeof expect.poll<T>>

/** `expect.poll` with the patience of `until`: it fails when the answer has not changed for two minutes. */
export function poll<T>(read: () => T, { interval = 50 } = {}): Assertion<T> {
  return assertionOf(read, interval, false)
}

function assertionOf<T>(read: () => T, interval: number, isNegated: boolean): Assertion<T> {
  return new Proxy({} as Assertion<T>, {
    get: (_, name) => {
      if (name === 'not') return assertionOf(read, interval, !isNegated)
      return async (...expected: unknown[]) => {
        let unmet: unknown
        const ask = async () => {
          try {
            return { value: await read() }
          } catch (error) {
            return { error }
          }
        }
        const isMet = ({ value, error }: { value?: unknown; error?: unknown }) => {
          try {
            if (error) throw error
            const assertion = isNegated ? expect(value).not : expect(value)
            Reflect.apply(Reflect.get(assertion, name), assertion, expected)
            return true
          } catch (reason) {
            unmet = reason
            return false
          }
        }
        try {
          await until(ask, isMet, waitLimitMs, interval)
        } catch (error) {
          ;(error as Error).message = `${(unmet as Error)?.message}: ${(error as Error).message}`
          throw error
        }
      }
    },
  })
}
