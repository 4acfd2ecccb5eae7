// npm run test:docs: runs the code of README.md and docs/ against a fresh service for each document, and says what it did
// not run, and why. `npm run test:docs -- webhooks` runs only documents whose name has the word.
import { globSync, readFileSync, symlinkSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { makeGuardedFolder } from '../helpers/runner/guard.ts'
import { freePort, ServiceProcess } from '../helpers/service/service-process.ts'
import { type Block, readBlocks } from './read-blocks.ts'
import { runBlock, type Session } from './run-block.ts'

const root = join(import.meta.dirname, '../..')
const { guessLanguage } = (await import(join(root, 'site/guide/highlight.js'))) as {
  guessLanguage(code: string): string
}
const word = process.argv[2] ?? ''
const documents = ['README.md', ...globSync('docs/**/*.md', { cwd: root }).sort()]
  .filter((name) => name.includes(word))
  .map((name) => readBlocks(name, readFileSync(join(root, name), 'utf8'), guessLanguage))

let failures = 0
for (const blocks of documents) {
  const toRun = blocks.filter((block) => reasonNotToRun(block) === undefined)
  const session = toRun.length > 0 ? await openSession() : undefined
  for (const block of blocks) {
    const reason = reasonNotToRun(block)
    const place = `${block.file}:${block.line}`
    if (reason !== undefined) say(`–  ${place}  not run: ${reason}`)
    else {
      const fault = await runBlock(block, session as OpenSession)
      if (fault !== undefined) failures++
      say(fault === undefined ? `✓  ${place}` : `✗  ${place}\n${fault.replaceAll(/^/gm, '     ')}`)
    }
  }
  await session?.close()
}
const count = documents.flat().length
say(`${count} blocks in ${documents.length} documents, ${failures} failed`)
process.exitCode = failures > 0 ? 1 : 0

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

function reasonNotToRun({ notRun, language, code }: Block): string | undefined {
  if (notRun !== undefined) return notRun
  if (language === 'text') return 'it is no code'
  if (language === 'json' && code.includes('…')) return 'it is an excerpt'
  return undefined
}

interface OpenSession extends Session {
  close(): Promise<void>
}

/** As a reader has it: the folder of the service, which runs, with its data in .peyk and its commands. */
async function openSession(): Promise<OpenSession> {
  const [folder, dataFolder] = [await makeGuardedFolder('peyk-docs-'), await makeGuardedFolder('peyk-docs-data-')]
  symlinkSync(dataFolder, join(folder, '.peyk'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const service = new ServiceProcess(dataFolder, await freePort())
  await service.start({ PEYK_CROWD_SIZE: '20' })
  const { clientKey } = await service.readDemo()
  return {
    folder,
    clientKey,
    baseUrl: `http://localhost:${service.port}`,
    env: { ...process.env, PEYK_DATA: dataFolder, PEYK_PORT: String(service.port) },
    close: async () => {
      await service.remove()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
