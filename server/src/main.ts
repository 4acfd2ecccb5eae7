import { runCommand } from './entry/command/run-command.ts'

// Who reads only the first lines ("peyk token list | head -1") has seen enough; the command still ends in order.
process.stdout.on('error', (error: Error & { code?: string }) => {
  if (error.code !== 'EPIPE') throw error
})

process.exit(await runCommand(process.argv.slice(2)))
