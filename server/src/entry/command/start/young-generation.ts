import { setFlagsFromString } from 'node:v8'

/**
 * While code is read nearly everything new stays, and V8 gives what is new more and more room, tens of megabytes that it
 * keeps. A service at rest needs none of it. Answers how to let it grow again as usual.
 */
export function holdYoungGeneration(): () => void {
  setFlagsFromString('--semi-space-growth-factor=1')
  return () => setFlagsFromString('--semi-space-growth-factor=2')
}
