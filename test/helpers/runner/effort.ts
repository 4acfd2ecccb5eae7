/** `usual` in `npm test`, `all` in `npm run test:all`, `long` in `npm run test:faults`. */
export const effortLevel = (process.env.PEYK_TEST_EFFORT ?? 'usual') as 'usual' | 'all' | 'long'
const isLong = effortLevel === 'long'
/** What takes long is left to `npm run test:all`. */
export const isThorough = effortLevel !== 'usual'

const pick = <T>(usual: T, all: T, long: T): T => ({ usual, all, long })[effortLevel]

/** How much the fault tests do. */
export const effort = {
  isLong,
  /** Of a test with many rounds: each of them waits for conditions, which give up long before. */
  timeoutMs: pick(600_000, 1_200_000, 7_200_000),
  /** For a condition about all that was sent. */
  longWaitMs: pick(120_000, 120_000, 900_000),
  /** Names that an endpoint does not know, at each place of its body. */
  foreignNamesPerPlace: pick(2, 30, Number.POSITIVE_INFINITY),
  fuzzedRequestsPerRoute: pick(2, 50, 100),
  /** Of uploads, segments, templates, broken HTTP and packets. */
  fuzzedRequestsOfKind: pick(20, 500, 1_000),
  /** Against a service in a process of its own. */
  fuzzedRequests: pick(5_000, 5_000, 500_000),
  kills: pick(1, 4, 20),
  /** Of campaigns, with several kills each. */
  killRounds: pick(1, 1, 20),
  /** PostgreSQL ends all sessions. */
  sessionsEnded: pick(2, 8, 30),
  /** A worker dies between taking and settling. */
  workerKills: pick(4, 10, 60),
  /** Of two processes at once, of one of them, and of PostgreSQL: so many of each. */
  killsOfEach: pick(1, 2, 100),
  /** A client comes back while messages are sent to it. */
  returns: pick(4, 20, 200),
  /** In order, by SIGTERM. */
  stops: pick(1, 3, 10),
  /** A send during which the service is killed. */
  delivery: pick(
    { kills: 1, installations: 500, pushesPerSecond: 100 },
    { kills: 2, installations: 2_000, pushesPerSecond: 200 },
    { kills: 10, installations: 50_000, pushesPerSecond: 2_000 },
  ),
  /** Users who are deleted while everything is written about them. */
  deletions: pick(4, 24, 200),
  /** Of a phone that changes users. */
  changingHands: pick(25, 250, 5_000),
  /** A receipt comes at the moment of the SMS that stands in for the push. */
  receiptsAtTheSms: pick(48, 200, 1_000),
  /** Between the places where a line is cut. */
  bytesBetweenCuts: pick(7, 1, 1),
  /** A send whose provider closes its connection every 50 requests. */
  goawayPushes: pick(500, 3_000, 100_000),
}
