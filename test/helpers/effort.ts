const isLong = process.env.PEYK_TEST_EFFORT === 'long'

/** How much the fault tests do: a little in `npm test`, much in `npm run test:faults`. */
export const effort = {
  fuzzedRequestsPerRoute: isLong ? 1000 : 25,
  kills: isLong ? 20 : 5,
}
