const isLong = process.env.PEYK_TEST_EFFORT === 'long'

/** How much the fault tests do: a little in `npm test`, much in `npm run test:faults`. */
export const effort = {
  isLong,
  fuzzedRequestsPerRoute: isLong ? 1000 : 25,
  kills: isLong ? 20 : 5,
  /** A send during which the service is killed. */
  delivery: isLong
    ? { kills: 10, installations: 50_000, pushesPerSecond: 2_000, timeoutMs: 1_800_000 }
    : { kills: 2, installations: 2_000, pushesPerSecond: 400, timeoutMs: 240_000 },
  /** A send whose provider closes its connection every 50 requests. */
  goawayPushes: isLong ? 100_000 : 5_000,
}
