import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Load } from './load.ts'

/** The load of a machine without wrk, as a process of its own. Prints what wrk.lua prints. */
interface Outcome {
  '2xx': number
  non2xx: number
  errors: number
  latency: { p50: number; p99: number }
}

type Autocannon = (options: object) => Promise<Outcome>

const autocannon = createRequire(import.meta.url)('autocannon') as Autocannon
const load = JSON.parse(process.argv[2] as string) as Omit<Load, 'bodies'> & { bodies: string }
const bodies = readFileSync(load.bodies, 'utf8').trimEnd().split('\n')

let sent = 0
const outcome = await autocannon({
  url: load.url,
  connections: load.connections,
  duration: load.seconds,
  method: 'POST',
  headers: load.headers,
  requests: [{ setupRequest: (request: object) => ({ ...request, body: bodies[sent++ % bodies.length] }) }],
})
console.log(
  JSON.stringify({
    answers: outcome['2xx'] + outcome.non2xx,
    refused: outcome.non2xx,
    broken: outcome.errors,
    p50Ms: outcome.latency.p50,
    p99Ms: outcome.latency.p99,
    unanswered: load.connections,
  }),
)
