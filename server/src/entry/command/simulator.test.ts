import { once } from 'node:events'
import { isThorough } from '@peyk/test/runner/effort.ts'
import { poll } from '@peyk/test/runner/poll.ts'
import { expect, it, onTestFinished } from 'vitest'
import { makeTestFolder, peyk, spawnPeyk } from './peyk-process.test-support.ts'

const makeFolder = () => makeTestFolder('peyk-simulator-command-')

/** `peyk simulator` until it has said where it is. */
async function startSimulator(env: Record<string, string>) {
  const child = spawnPeyk(['simulator'], { PEYK_LOG_LEVEL: 'silent', ...env })
  const ended = once(child, 'exit')
  const end = async () => {
    child.kill('SIGTERM')
    return (await ended)[0]
  }
  onTestFinished(async () => void (await end()))
  let output = ''
  child.stdout?.on('data', (chunk) => (output += chunk))
  await poll(() => output).toMatch(/PEYK_SIMULATOR_URL=http\S+ npx peyk start\n/)
  return { url: /PEYK_SIMULATOR_URL=(\S+)/.exec(output)?.[1] as string, end }
}

it.runIf(isThorough)(
  'runs alone, says how to use it, ends when it is told to, and is at the same place the next time',
  async () => {
    const folder = await makeFolder()
    const first = await startSimulator({ PEYK_DATA: folder })
    expect((await fetch(`${first.url}/phones`)).status).toBe(200)
    expect(await peyk(['simulator'], { env: { PEYK_DATA: folder } })).toMatchObject({
      code: 1,
      stderr: `peyk: A simulator with this state runs already at ${first.url}. Set PEYK_DATA to another folder for a second one.\n`,
    })
    const stream = await fetch(`${first.url}/phones/stream`)
    const cut = stream.text().catch(() => 'cut')
    expect(await first.end()).toBe(0)
    await cut
    expect((await startSimulator({ PEYK_DATA: folder })).url).toBe(first.url)
  },
)

it.runIf(isThorough)('says that its port is in use', async () => {
  const { url } = await startSimulator({ PEYK_DATA: await makeFolder() })
  const { port } = new URL(url)
  expect(
    await peyk(['simulator'], { env: { PEYK_DATA: await makeFolder(), PEYK_SIMULATOR_PORT: port } }),
  ).toMatchObject({
    code: 1,
    stderr: `peyk: Port ${port} is in use: end what uses it, or set PEYK_SIMULATOR_PORT to another one.\n`,
  })
})
