import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { readState, StateFile } from './state-file.ts'

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'peyk-state-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

it('holds the last of many changes, whenever they come, and leaves nothing beside', async () => {
  const folder = await makeFolder()
  const path = join(folder, 'state.json')
  let count = 0
  let snapshots = 0
  const file = new StateFile(
    path,
    () => {
      snapshots++
      return { count }
    },
    (error) => expect.unreachable(error.message),
  )
  for (let turn = 0; turn < 300; turn++) {
    count++
    file.changed()
    if (turn % 3 === 0) await nextTurn()
    if (turn % 100 === 0) await file.flush()
  }
  await file.flush()
  expect(await readState(path)).toEqual({ count: 300 })
  expect(await readdir(folder)).toEqual(['state.json'])
  expect(snapshots).toBeLessThan(300)
})

it('says that a change is kept although others follow without end', async () => {
  const path = join(await makeFolder(), 'state.json')
  let count = 0
  const file = new StateFile(
    path,
    () => ({ count }),
    (error) => expect.unreachable(error.message),
  )
  await file.kept()
  let isOver = false
  const changing = (async () => {
    while (!isOver) {
      count++
      file.changed()
      await nextTurn()
    }
  })()
  for (let turn = 0; turn < 10; turn++) {
    const before = ++count
    file.changed()
    await file.kept()
    expect((await readState(path))?.count).toBeGreaterThanOrEqual(before)
  }
  isOver = true
  await changing
  await file.kept()
  expect(await readState(path)).toEqual({ count })
})

it('says when it cannot be written, and goes on when it can', async () => {
  const folder = await makeFolder()
  const blocked = join(folder, 'blocked')
  await writeFile(blocked, 'a file where a folder should be')
  const faults: string[] = []
  const file = new StateFile(
    join(blocked, 'state.json'),
    () => ({}),
    (error) => faults.push(error.message),
  )
  file.changed()
  await expect(file.kept()).rejects.toThrow()
  await file.flush()
  expect(faults).toHaveLength(1)
  await rm(blocked)
  file.changed()
  await file.flush()
  expect(await readFile(join(blocked, 'state.json'), 'utf8')).toBe('{}')
})

it.each(['', '{"a":', 'null', '7'])('is read as nothing when it holds %j', async (text) => {
  const path = join(await makeFolder(), 'state.json')
  expect(await readState(path)).toBeUndefined()
  await writeFile(path, text)
  expect(await readState(path)).toBeUndefined()
})
