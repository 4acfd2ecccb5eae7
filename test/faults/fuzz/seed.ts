import { randomInt } from 'node:crypto'
import { effort } from '../../helpers/runner/effort.ts'
import { type KindName, kinds } from './kinds.ts'

/** `PEYK_FUZZ=7` fuzzes with that seed, `PEYK_FUZZ=7:http:123` sends only that request, as a failure shows it. */
const [givenSeed, kind, number] = (process.env.PEYK_FUZZ ?? '').split(':')

/** The same requests every time, but in `npm run test:faults`. */
export const seed = givenSeed ? Number(givenSeed) : effort.isLong ? randomInt(1_000_000_000) : 20_261_115

export const only: { kind: KindName; number: number } | undefined =
  kind !== undefined && Object.hasOwn(kinds, kind) ? { kind: kind as KindName, number: Number(number) } : undefined

/** `PEYK_FUZZ_REQUESTS=100000` sends so many, of all kinds together. */
export const requestCount = Number(process.env.PEYK_FUZZ_REQUESTS) || effort.fuzzedRequests
