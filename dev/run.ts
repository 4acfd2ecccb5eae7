import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync, watch } from 'node:fs'
import { join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { ConfigError, loadConfig } from '@peyk/server/base/config.ts'
import { createLogger, prettyOptions } from '@peyk/server/base/log.ts'
import { CleanupSteps } from '@peyk/server/entry/command/start/cleanup-steps.ts'
import { openDatabase } from '@peyk/server/entry/command/start/open-database.ts'
import { watchForEnd } from '@peyk/server/entry/command/start/watch-for-end.ts'
import { startSimulator } from '@peyk/simulator'
import react from '@vitejs/plugin-react'
import pretty from 'pino-pretty'
import { createServer as createVite, type Plugin } from 'vite'

/**
 * `npm run dev`: serves the panel from Vite's development server and restarts the service when its sources change.
 * PostgreSQL and the simulator run in this process and keep running across restarts.
 */
const root = join(import.meta.dirname, '..')
const watched = ['server/src', 'contract/src', 'server/bin']
/** Debounce: editors write several files at once, or one file twice. */
const settleMs = 30
/** Delay of the second signal, which makes the service stop despite open streams. Must exceed a key repeat. */
const patienceMs = 250
const stopLimitMs = 10_000
/** Also after a reload, which is how an update arrives that no module accepts. */
const reportDrawn = `
  const report = () => requestAnimationFrame(() => import.meta.hot.send('peyk:drawn'))
  import.meta.hot.on('vite:afterUpdate', report)
  addEventListener('load', report)
`

const config = loadConfig()
const isTerminal = process.stdout.isTTY === true
const log = createLogger({ level: config.logLevel, isTerminal })
const print = pretty.prettyFactory({ ...prettyOptions, colorize: isTerminal })
const cleanup = new CleanupSteps()
const end = watchForEnd(log, { endsWithParent: config.isUnderNpm, endAtOnce: () => cleanup.runFirst() })

if (config.port === 0)
  throw new ConfigError('npm run dev needs a PEYK_PORT other than 0: the panel is served on the next port.')
const database = await openDatabase(config, log)
cleanup.add({ what: 'Stopping PostgreSQL', limitMs: 4 * stopLimitMs, run: database.stopPostgres })
const simulator = await startSimulator({
  port: config.simulatorPort,
  stateFile: join(config.dataFolder, 'simulator.json'),
  onFault: ({ message }) => log.warn({ reason: message }, 'simulator'),
})
cleanup.add({ what: 'Stopping the simulator', limitMs: stopLimitMs, run: simulator.close })

const serviceUrl = `http://localhost:${config.port}`
let service: ChildProcess | undefined
let ready = Promise.withResolvers<void>()
const panel = await createVite({
  configFile: false,
  root: join(root, 'panel'),
  base: '/panel/',
  plugins: [react(), reportUpdates()],
  server: {
    host: config.host,
    port: config.port + 1,
    proxy: {
      '^/panel/api/': { target: serviceUrl, bypass: () => ready.promise },
      '^/(?!panel(/|$))': { target: serviceUrl, ws: true, bypass: () => ready.promise },
    },
  },
})
await panel.listen()
cleanup.add({ what: 'Stopping Vite', limitMs: stopLimitMs, run: () => panel.close() })
const panelOrigin = new URL(panel.resolvedUrls?.local[0] ?? '').origin

cleanup.add({ what: 'Stopping the service', limitMs: stopLimitMs, run: stopService })
startService()
watchSources()
process.exitCode = await end.exitCode
await cleanup.runAll(log)

/** A changed source file: its path from the root, and when it changed. */
interface Change {
  name: string
  atMs: number
}

function startService(changed?: Change): void {
  const child = spawn(process.execPath, [join(root, 'server/bin/peyk.js'), 'start'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      PEYK_DATABASE_URL: databaseUrl(),
      PEYK_SIMULATOR_URL: simulator.url,
      // The log lines read below are at this level.
      PEYK_LOG_LEVEL: ['debug', 'trace'].includes(config.logLevel) ? config.logLevel : 'info',
    },
  })
  service = child
  createInterface(child.stdout).on('line', (line) => {
    const entry = readEntry(line)
    if (entry === undefined) return void process.stdout.write(`${line}\n`)
    if (entry.signIn !== undefined) return changed === undefined ? welcome(entry.signIn) : undefined
    process.stdout.write(print(entry))
    if (entry.msg !== 'listening') return
    ready.resolve()
    if (changed !== undefined) log.info(`${changed.name}: the service answers ${sinceSeconds(changed.atMs)} s later`)
  })
  child.once('exit', (code, signal) => {
    if (service === child && !end.signal.aborted) {
      service = undefined
      log.error({ code, signal }, 'the service ended; it starts again after the next change')
    }
  })
}

function sinceSeconds(atMs: number): string {
  return ((performance.now() - atMs) / 1_000).toFixed(1)
}

/** Makes the page report when it has rendered an update. */
function reportUpdates(): Plugin {
  let changed: Change | undefined
  return {
    name: 'report-updates',
    configureServer({ ws }) {
      ws.on('peyk:drawn', () => {
        if (changed !== undefined) log.info(`${changed.name}: the panel shows it ${sinceSeconds(changed.atMs)} s later`)
        changed = undefined
      })
    },
    handleHotUpdate({ file }) {
      const savedForMs = Date.now() - statSync(file).mtimeMs
      changed = { name: relative(root, file), atMs: performance.now() - savedForMs }
    },
    transformIndexHtml: {
      order: 'pre',
      handler: () => [{ tag: 'script', attrs: { type: 'module' }, children: reportDrawn, injectTo: 'body' }],
    },
  }
}

function databaseUrl(): string {
  const { connection } = database
  if (typeof connection === 'string') return connection
  const { host, port, user, password, database: name } = connection
  return `postgresql://${user}:${encodeURIComponent(password)}@/${name}?host=${encodeURIComponent(host)}&port=${port}`
}

interface LogEntry {
  msg?: string
  signIn?: string
}

function readEntry(line: string): LogEntry | undefined {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** The service's sign-in link leads to the built panel. This one leads to the panel that Vite serves. */
function welcome(signIn: string): void {
  const { pathname, hash } = new URL(signIn)
  const lines = [
    '',
    `  Panel: ${panelOrigin}${pathname}${hash}`,
    '  The link signs in once; after that, the password is in .peyk/demo.json. A saved file of the panel shows at once.',
    '',
    `  API: ${serviceUrl}, reference: ${serviceUrl}/docs. The service restarts when its sources change.`,
    `  Virtual phones: ${simulator.url}/phones`,
    '  Ctrl-C stops everything.',
    '',
  ]
  process.stdout.write(lines.join('\n'))
}

async function stopService(): Promise<void> {
  const child = service
  service = undefined
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  const hasEnded = await Promise.race([gone.then(() => true), sleep(patienceMs, false)])
  if (!hasEnded) child.kill('SIGTERM')
  await gone
}

function watchSources(): void {
  let changed: Change | undefined
  let isRestarting = false
  const restart = async () => {
    if (isRestarting || end.signal.aborted) return
    isRestarting = true
    while (changed !== undefined && !end.signal.aborted) {
      await sleep(settleMs)
      const change = changed
      changed = undefined
      ready.resolve()
      ready = Promise.withResolvers()
      await stopService()
      if (changed === undefined) startService(change)
    }
    isRestarting = false
  }
  for (const folder of watched) {
    const watcher = watch(join(root, folder), { recursive: true }, (_, name) => {
      if (name === null || /\.test(-support)?\.ts$|~$|\.sw.$/.test(name)) return
      changed = { name: join(folder, name), atMs: performance.now() }
      void restart()
    })
    cleanup.add({ what: `Watching ${folder}`, limitMs: stopLimitMs, run: async () => watcher.close() })
  }
}
