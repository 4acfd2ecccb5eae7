import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { guardProcess } from '@peyk/test/runner/guard.ts'
import { poll } from '@peyk/test/runner/poll.ts'
import { expect, it, onTestFinished } from 'vitest'

const modulePath = join(import.meta.dirname, 'watch-for-end.ts')

/** A script that watches for its end; `last` is what it still has to do then. */
function watching(code: string, last: string): string {
  return `
    import { plannedStop, watchForEnd } from ${JSON.stringify(modulePath)}
    const log = { info: (_, text) => console.log(text), fatal: ({ err }) => console.log('fatal', err.message) }
    const end = watchForEnd(log, { endsWithParent: true, endAtOnce: async () => console.log('at once') })
    const busy = setInterval(() => {}, 1000)
    console.log('watching')
    ${code}
    const code = await end.exitCode
    ${last}
    console.log('ended', end.signal.aborted, end.signal.reason === plannedStop)
    process.exit(code)`
}

function watch(code: string, last = '') {
  return run(watching(code, last))
}

function run(script: string) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  guardProcess(child)
  const closed = once(child, 'close')
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  return {
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    says: (text: string) => poll(() => output).toContain(text),
    said: () => output,
    exit: async () => {
      await closed
      return { code: child.exitCode, output: output.trim().split('\n') }
    },
  }
}

function endIfRunning(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended, as it should.
  }
}

it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'ends with 0 after %s, also when npm passes it on once more',
  async (signal) => {
    const child = watch('', 'await new Promise((resolve) => setTimeout(resolve, 50))')
    await child.says('watching')
    child.kill(signal)
    child.kill(signal)
    expect(await child.exit()).toEqual({
      code: 0,
      output: ['watching', 'stopping', `ended true ${signal !== 'SIGHUP'}`],
    })
  },
)

it('ends with whoever started it, however that ended', async () => {
  const inner = JSON.stringify(watching('', ''))
  const parent = run(`
    import { spawn } from 'node:child_process'
    const child = spawn(process.execPath, ['--input-type=module', '-e', ${inner}], { stdio: 'inherit' })
    console.log('child', child.pid)`)
  await parent.says('watching')
  const pid = Number(/child (\d+)/.exec(parent.said())?.[1])
  onTestFinished(() => endIfRunning(pid))
  parent.kill('SIGKILL')
  await parent.says('the process that started this one has ended\nstopping\nended true false')
})

it('ends at once after a second signal', async () => {
  const child = watch('', 'await new Promise(() => {})')
  await child.says('watching')
  child.kill('SIGTERM')
  await child.says('stopping')
  // It counts when it does not come of the same key press.
  const again = setInterval(() => child.kill('SIGINT'), 50)
  onTestFinished(() => clearInterval(again))
  expect(await child.exit()).toEqual({ code: 130, output: ['watching', 'stopping', 'at once'] })
})

it.each([
  ['setImmediate(() => { throw new Error("thrown") })', 'fatal thrown'],
  ['Promise.reject(new Error("rejected"))', 'fatal rejected'],
])('ends with 1 after %s', async (code, message) => {
  const { code: exitCode, output } = await watch(code).exit()
  expect(exitCode).toBe(1)
  expect(output).toEqual(['watching', message, 'ended true false'])
})
