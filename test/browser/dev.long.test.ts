import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { closeWindowsAfterAll, openWindow } from '../helpers/browser.ts'
import { guardProcess, makeGuardedFolder } from '../helpers/runner/guard.ts'
import { until } from '../helpers/runner/until.ts'
import { freePort } from '../helpers/service/service-process.ts'
import { copyTree } from '../mutants/copy-tree.ts'

closeWindowsAfterAll()

test('npm run dev shows a changed text, color and error message while PostgreSQL and the simulator stay up', async () => {
  const folder = await makeGuardedFolder('peyk-dev-')
  // PostgreSQL passes through it, as another user where this one is root.
  await chmod(folder, 0o711)
  const tree = join(folder, 'tree')
  await copyTree(join(import.meta.dirname, '../..'), tree)
  const dev = await startDev(tree, join(folder, 'data'))
  const origin = new URL(dev.link).origin
  const postgres = await readFile(join(folder, 'data/postgres/postmaster.pid'), 'utf8')

  const page = await (await openWindow()).newPage()
  await page.goto(dev.link)
  await page.getByRole('link', { name: 'Segments' }).waitFor()
  await page.evaluate(() => Object.assign(window, { isSamePage: true }))
  await edit(tree, 'panel/src/texts/en/first.ts', "'Segments'", "'Circles of users'")
  await page.getByRole('link', { name: 'Circles of users' }).waitFor()
  expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true)
  await until(dev.output, (text) => /panel\/src\/texts\/en\/first\.ts: the panel shows it \d+\.\d s later/.test(text))

  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  await edit(tree, 'panel/src/panel.css', 'background: var(--peyk-canvas)', 'background: rgb(1, 2, 3)')
  await until(background, (color) => color === 'rgb(1, 2, 3)')

  const answer = async () => (await fetch(`${origin}/api/nothing`)).text()
  expect(await answer()).toContain('There is no GET /api/nothing')
  const server = 'server/src/entry/http/server.ts'
  await edit(tree, server, '`There is no ${', '`Nobody built ${')
  await until(answer, (text) => text.includes('Nobody built GET /api/nothing'))

  await edit(tree, server, 'import ', 'impart ')
  await until(dev.output, (text) => text.includes('starts again after the next change'))
  await edit(tree, server, 'impart ', 'import ')
  await until(
    () => answer().catch(String),
    (text) => text.includes('Nobody built GET /api/nothing'),
  )

  expect(await readFile(join(folder, 'data/postgres/postmaster.pid'), 'utf8')).toBe(postgres)
  expect(dev.output()).toMatch(/server\/src\/entry\/http\/server\.ts: the service answers \d+\.\d s later/)
  dev.child.kill('SIGINT')
  expect(await once(dev.child, 'exit')).toEqual([0, null])
  await expect(readFile(join(folder, 'data/postgres/postmaster.pid'))).rejects.toThrow('ENOENT')
})

async function startDev(tree: string, dataFolder: string) {
  const port = await freePort()
  const child = spawn(process.execPath, ['dev/run.ts'], {
    cwd: tree,
    env: {
      ...process.env,
      PEYK_DATA: dataFolder,
      PEYK_PORT: String(port),
      PEYK_MQTT_PORT: '0',
      PEYK_HOST: '127.0.0.1',
      PEYK_CROWD_SIZE: '0',
    },
  })
  guardProcess(child)
  onTestFinished(() => void child.kill('SIGTERM'))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
  const link = await until(
    () => /Panel: (\S+\/panel\/enter#\S+)/.exec(output)?.[1] ?? output,
    (found) => found.startsWith('http'),
  )
  return { child, link, output: () => output }
}

async function edit(tree: string, file: string, from: string, to: string): Promise<void> {
  const path = join(tree, file)
  const text = await readFile(path, 'utf8')
  expect(text).toContain(from)
  await writeFile(path, text.replace(from, to))
}
