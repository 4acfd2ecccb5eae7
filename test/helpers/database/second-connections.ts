import { watchSecondConnections } from '@peyk/server/base/store/pool/connection-scope.ts'
import { afterEach } from 'vitest'

/**
 * Whoever holds a connection of the pool must not wait for another: as many of these as there are connections would wait
 * for each other. A test may, to see what others do meanwhile.
 */
const found: string[] = []

watchSecondConnections(({ heldAt, askedAt }) => {
  const [holder, asker] = [placeOf(heldAt), placeOf(askedAt)]
  if (!isOfTest(holder) && !isOfTest(asker))
    found.push(`A second connection was asked for ${asker} while one is held ${holder}`)
})

afterEach(() => {
  const [first] = found.splice(0)
  if (first !== undefined) throw new Error(first)
})

/** The first line of the stack that is not the store's own. */
function placeOf({ stack = '' }: Error): string {
  const lines = stack.split('\n').slice(1)
  return (lines.find((line) => !/\/base\/(store\/|context\.ts)/.test(line)) ?? '').trim()
}

function isOfTest(place: string): boolean {
  return place === '' || /\.test(-support)?\.ts|\/test\//.test(place)
}
