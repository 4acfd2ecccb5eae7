import { readdir } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { makeGuardedFolder } from '@peyk/test/runner/guard.ts'
import { afterAll, expect, it } from 'vitest'
import { SpooledText } from './spooled-text.ts'

const folder = await makeGuardedFolder('peyk-spooled-')
const { TMPDIR } = process.env
process.env.TMPDIR = folder
afterAll(() => {
  if (TMPDIR === undefined) delete process.env.TMPDIR
  else process.env.TMPDIR = TMPDIR
})

async function* repeat(part: string, times: number) {
  for (let count = 0; count < times; count++) yield part
}

const leftovers = () => readdir(folder)

it('gives back what was written, and leaves no file behind', async () => {
  const text = await SpooledText.write(repeat('سلام, ', 200_000))
  expect(await leftovers()).toEqual([])
  const read = await buffer(text.read())
  expect(read.length).toBe(text.bytes)
  expect(read.toString() === 'سلام, '.repeat(200_000)).toBe(true)
  await expect(buffer(text.read())).rejects.toThrow()
})

it('is closed when its reader stops, and when what it is written from fails', async () => {
  const text = await SpooledText.write(repeat('0123456789', 100_000))
  for await (const part of text.read()) {
    expect(part.length).toBeLessThan(text.bytes)
    break
  }
  await expect(buffer(text.read())).rejects.toThrow()
  async function* failing() {
    yield 'begun'
    throw new Error('no more')
  }
  await expect(SpooledText.write(failing())).rejects.toThrow('no more')
  expect(await leftovers()).toEqual([])
})
