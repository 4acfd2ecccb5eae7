import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { writeFiguresPage } from './measure/figures-page.ts'
import { findLoadGenerator } from './measure/load.ts'
import { describeMachine } from './measure/machine.ts'
import type { BenchOptions } from './measure/options.ts'
import { limitTries } from './measure/quiet.ts'
import { stopBench, stopRun } from './measure/started.ts'

/** Each bench and its file; a file is read when its turn comes. */
const benches: Record<string, () => Promise<(options: BenchOptions) => Promise<void>>> = {
  ingest: async () => (await import('./ingest.ts')).benchIngest,
  accept: async () => (await import('./accept.ts')).benchAccept,
  register: async () => (await import('./register.ts')).benchRegister,
  render: async () => (await import('./render.ts')).benchRender,
  personal: async () => (await import('./personal.ts')).benchPersonal,
  'fan-out': async () => (await import('./fan-out.ts')).benchFanOut,
  campaign: async () => (await import('./campaign.ts')).benchCampaign,
  segment: async () => (await import('./segment.ts')).benchSegment,
  log: async () => (await import('./log.ts')).benchLog,
  promo: async () => (await import('./promo.ts')).benchPromo,
  start: async () => (await import('./start.ts')).benchStart,
  connections: async () => (await import('./connections.ts')).benchConnections,
  panel: async () => (await import('./panel.ts')).benchPanel,
}

/** No goal speaks of them: they run when they are named. */
const onDemand = ['log']
const usualBenches = Object.keys(benches).filter((name) => !onDemand.includes(name))

const help = `Measures Peyk against its peers and limits, on this machine and in one run.

  npm run bench                      all of: ${usualBenches.join(', ')}
  npm run bench -- ingest accept     only these
  npm run bench -- log               what it costs that PostgreSQL's log is followed

  --quick          one short round of each, with 100k installations: less than six minutes on two slow cores;
                   what so little cannot tell is left out

  --rounds 5       how often each is measured, in turn; the median counts
  --seconds 8      how long one load lasts
  --scale 1M       installations in the segment and panel benches: 100k, 1M, 10M; of the biggest send in fan-out, the usual has a tenth
  --folder <path>  keep the database there for further runs: at 10M filling takes half an hour and 30 GB
  --clients 5k     in the connections bench
  --part latency   only this part of it: memory, deliveries, reconnect, latency, idle; may be given more than once;
                   of fan-out: nghttpd, simulator, memory, processes; of personal: divided (roles); of segment: dry-runs
  --idle 100k      connections that its part \`idle\` holds; root can raise the limit of open files that this needs
  --hold 600       for how many seconds it holds them
  --tries 6        how often a measurement that others disturbed is repeated at most
  --profile        show where the service's own CPU time goes (its figures are lower then)
  --statements     show what PostgreSQL did, statement by statement (ingest, accept, personal, campaign, connections)

Figures are shown beside those that were kept of the same kind of machine. They are kept in bench/results, and written to
docs/internals/benchmarks.md, unless --scale, --folder, --clients, --part, --idle, --hold, --rounds or --seconds say otherwise than usual.`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    scale: { type: 'string' },
    folder: { type: 'string' },
    clients: { type: 'string' },
    part: { type: 'string', multiple: true, default: [] },
    idle: { type: 'string' },
    hold: { type: 'string' },
    tries: { type: 'string' },
    profile: { type: 'boolean', default: false },
    statements: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) {
  console.log(help)
  process.exit(0)
}
const unknown = positionals.filter((name) => !(name in benches))
if (unknown.length > 0) {
  console.error(`There is no bench "${unknown.join('", "')}". There are: ${Object.keys(benches).join(', ')}.`)
  process.exit(2)
}
installPeers()
const usual = values.quick
  ? { rounds: '1', seconds: '3', scale: '100k', idle: '5k', hold: '10', tries: '2' }
  : { rounds: '5', seconds: '8', scale: '1M', idle: '100k', hold: '600', tries: '6' }
const { rounds, seconds, scale, clients, idle, hold, tries } = { clients: '5k', ...usual, ...values }
const changing = ['rounds', 'seconds', 'scale', 'folder', 'clients', 'idle', 'hold'] as const
const isTrial =
  values.part.length > 0 || values.profile || values.statements || changing.some((name) => values[name] !== undefined)
limitTries(readNumber(tries))
const options: BenchOptions = {
  machine: await describeMachine(),
  generator: await findLoadGenerator(),
  effort: isTrial ? 'trial' : values.quick ? 'quick' : 'whole',
  isQuick: values.quick,
  rounds: readNumber(rounds),
  seconds: readNumber(seconds),
  scale: readNumber(scale),
  folder: values.folder && resolve(values.folder),
  clients: readNumber(clients),
  parts: values.part,
  idle: readNumber(idle),
  holdSeconds: readNumber(hold),
  profile: values.profile,
  statements: values.statements,
}
const { cpu, cores, memoryGb, node, fsyncMs, loadBefore } = options.machine
console.log(
  `${cpu}, ${cores} cores, ${memoryGb} GB, Node ${node}, fsync ${fsyncMs} ms, load ${loadBefore}; ${options.generator.name}`,
)
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => stopRun().finally(() => process.exit(1)))
}
const begunAtMs = performance.now()
try {
  for (const name of positionals.length > 0 ? positionals : usualBenches) await runBench(name)
} finally {
  await stopRun()
}
if (!isTrial) await writeFiguresPage()
console.log(`\nAll took ${secondsSince(begunAtMs)} s`)

async function runBench(name: string): Promise<void> {
  const benchBegunAtMs = performance.now()
  console.log(`\n=== ${name}`)
  try {
    const bench = await benches[name]?.()
    await bench?.(options)
  } finally {
    await stopBench()
    console.log(`${name} took ${secondsSince(benchBegunAtMs)} s`)
  }
}

function secondsSince(atMs: number): number {
  return Math.round((performance.now() - atMs) / 1000)
}

function readNumber(text: string): number {
  const [, digits, unit] = /^(\d+)([kM]?)$/.exec(text) ?? []
  if (digits === undefined) {
    console.error(`"${text}" is not a number such as 5, 100k or 1M.`)
    process.exit(2)
  }
  return Number(digits) * (unit === 'M' ? 1_000_000 : unit === 'k' ? 1_000 : 1)
}

/** The peers are no dependency of the product: they are fetched when they are measured for the first time. */
function installPeers(): void {
  const isThere = (name: string) => existsSync(join(import.meta.dirname, 'node_modules', name))
  if (isThere('parse-server') && isThere('aedes')) return
  console.log('Installing what Peyk is measured against (Parse Server, aedes, autocannon): about half a minute …')
  execFileSync('npm', ['install', '--prefix', import.meta.dirname], { stdio: 'inherit' })
}
