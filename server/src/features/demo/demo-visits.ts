import type { DemoDevice } from './demo-people.ts'
import { seededRandom } from './seeded-random.ts'

export interface DemoVisit {
  launchCount: number
  /** Epoch milliseconds. */
  launchTime: number
}

/** When the app was opened on a device after it was installed, the last time at its launch time. */
export function makeDemoVisits({ installDate, launchTime, launchCount }: DemoDevice, seed: number): DemoVisit[] {
  const random = seededRandom(seed)
  const times = Array.from({ length: Math.max(0, launchCount - 2) }, () => random.between(installDate, launchTime))
  return [...times.sort((a, b) => a - b), launchTime]
    .slice(0, launchCount - 1)
    .map((at, index) => ({ launchTime: at, launchCount: index + 2 }))
}
