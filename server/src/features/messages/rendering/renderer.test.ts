import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { Renderer } from './renderer.ts'

const folder = await mkdtemp(join(tmpdir(), 'peyk-rendering-'))
afterAll(() => rm(folder, { recursive: true }))

it('a machine that lets the process wait does not make a text fail', async () => {
  const program = join(folder, 'waits.js')
  const wait = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000)'
  await writeFile(
    program,
    `process.on('message', () => { ${wait}; process.send({ text: 'late' }) }); process.send('ready')`,
  )
  const renderer = new Renderer(pathToFileURL(program))
  expect(await renderer.render({ text: '{{ a }}', scopes: [{}] })).toEqual([{ text: 'late' }])
})

it('whoever waits for a process that ends before it is ready is told so', async () => {
  const program = join(folder, 'ends-at-once.js')
  await writeFile(program, 'process.exit(7)')
  const renderer = new Renderer(pathToFileURL(program))
  const task = { text: '{{ a }}', scopes: [{}] }
  await expect(renderer.render(task)).rejects.toThrow('ended before it was ready, with 7')
  await expect(renderer.render(task)).rejects.toThrow('ended before it was ready')
})
