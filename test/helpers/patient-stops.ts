import { stopPatience } from '@peyk/server/features/deliveries/control/await-stop.ts'
import { afterAll } from 'vitest'
import { waitLimitMs } from './runner/wait-limit.ts'

/** Whoever stops a send waits until it has stopped, however busy the machine is. Call it at the top of a file. */
export function waitForStops(): void {
  const usualMs = stopPatience.ms
  stopPatience.ms = waitLimitMs / 2
  afterAll(() => {
    stopPatience.ms = usualMs
  })
}
