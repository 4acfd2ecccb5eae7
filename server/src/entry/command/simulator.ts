import { join } from 'node:path'
import { SimulatorRunsAlready, startSimulator } from '@peyk/simulator'
import { loadConfig } from '#base/config.ts'
import { createLogger } from '#base/log.ts'
import { type Command, CommandError } from './command.ts'
import { print } from './print.ts'
import { CleanupSteps } from './start/cleanup-steps.ts'
import { portInUse } from './start/open-simulator.ts'
import { watchForEnd } from './start/watch-for-end.ts'

const stopLimitMs = 5_000

export const command: Command = {
  options: {},
  notes: `Simulated FCM, APNs, Web Push and SMS with faults on demand, virtual phones and simulated users, on this machine only. peyk start
has one of its own in development; this one lives on while the service is restarted.

Settings are environment variables:
  PEYK_SIMULATOR_PORT  port of its API, 0 for the last or a free one (default: 0)
  PEYK_DATA            data folder; what it has to remember is in simulator.json there (default: ./.peyk)

GET / lists what its API has.`,
  examples: ['peyk simulator', 'PEYK_SIMULATOR_PORT=8091 peyk simulator'],

  async run() {
    const { simulatorPort: port, dataFolder, logLevel, isUnderNpm } = loadConfig()
    const isTerminal = process.stdout.isTTY === true
    const log = createLogger({ level: logLevel, isTerminal })
    const cleanup = new CleanupSteps()
    const end = watchForEnd(log, { endsWithParent: isUnderNpm, endAtOnce: () => cleanup.runFirst() })
    const stateFile = join(dataFolder, 'simulator.json')
    const onFault = ({ message }: Error) => log.warn({ reason: message }, 'simulator')
    const simulator = await startSimulator({ port, stateFile, onFault }).catch((error) => {
      throw describeFault(error, port)
    })
    cleanup.add({ what: 'Stopping the simulator', limitMs: stopLimitMs, run: simulator.close })
    print(welcome(simulator.url))
    const exitCode = await end.exitCode
    await cleanup.runAll(log)
    return exitCode
  },
}

function welcome(url: string): string {
  return [
    `The simulator runs at ${url} (Ctrl-C stops it). To start the service with it, in another terminal:`,
    '',
    `  PEYK_SIMULATOR_URL=${url} npx peyk start`,
  ].join('\n')
}

function describeFault(error: unknown, port: number): unknown {
  if (error instanceof SimulatorRunsAlready) {
    return new CommandError(`${error.message} Set PEYK_DATA to another folder for a second one.`, { cause: error })
  }
  return portInUse(error, port)
}
