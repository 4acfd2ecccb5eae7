import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { chromium } from 'playwright-core'
import { findChromium } from '../helpers/programs/chromium.ts'
import type { Block } from './read-blocks.ts'

const run = promisify(execFile)
const longestMs = 120_000

export interface Session {
  folder: string
  baseUrl: string
  /** Of the demo app, for pages. */
  clientKey: string
  env: NodeJS.ProcessEnv
}

/** Answers what went wrong, if anything did. */
export async function runBlock(block: Block, session: Session): Promise<string | undefined> {
  const code = withAddresses(block.code, session)
  const before = withAddresses(block.before ?? '', session)
  const name = `block-${block.line}`
  switch (block.language) {
    case 'sh':
    case 'bash':
      return runShell(`${before}\n${code}`, session)
    case 'js':
      await writeFile(join(session.folder, `${name}.mjs`), code)
      return runShell(`${before}\nnode ${name}.mjs`, session)
    case 'python':
      await writeFile(join(session.folder, `${name}.py`), code)
      return runShell(`${before}\npython3 ${name}.py`, session)
    case 'json':
      return parse(code)
    case 'html':
      return openPage(code, session)
    default:
      return `Nothing runs blocks in ${block.language}.`
  }
}

/** What readers have in place of these. */
function withAddresses(code: string, { baseUrl }: Session): string {
  return code.replaceAll('https://push.example.com', baseUrl).replaceAll('localhost:8090', new URL(baseUrl).host)
}

/** Variables stay for the blocks after it. An answer of the API that is an error is a fault; a stream is listened to for a moment. */
const shellHead = `
set -eo pipefail
given=" $(compgen -v | tr '\\n' ' ') "
set -a; [ ! -f variables.sh ] || source variables.sh; set +a
curl() {
  case " $* " in
    *" -N "*) command curl -sS --max-time 2 "$@" || [ $? = 28 ] ;;
    *) command curl -sS --fail-with-body "$@" && echo ;;
  esac
}
`
const shellTail = `
for name in $(compgen -v | grep -E '^[A-Z][A-Z_]+$' | grep -v PIPESTATUS); do
  case "$given" in *" $name "*) ;; *) declare -p "$name" ;; esac
done > variables.new
mv variables.new variables.sh
`

async function runShell(code: string, { folder, env }: Session): Promise<string | undefined> {
  const script = `${shellHead}\n${code}\n${shellTail}`
  const path = `${join(folder, 'node_modules/.bin')}:${env.PATH}`
  return run('bash', ['-c', script], { cwd: folder, env: { ...env, PATH: path }, timeout: longestMs }).then(
    () => undefined,
    ({ stdout, stderr, message }) => `${stdout}${stderr}`.trim().slice(-2000) || message,
  )
}

function parse(code: string): string | undefined {
  try {
    JSON.parse(code)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

/** In a page of the service's own origin, with the demo app's key. It has to register, without an error. */
async function openPage(code: string, { baseUrl, clientKey }: Session): Promise<string | undefined> {
  const executablePath = findChromium()
  if (executablePath === undefined) return 'There is no Chromium.'
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-background-networking'] })
  try {
    const page = await browser.newPage()
    const faults: string[] = []
    page.on('pageerror', (error) => faults.push(String(error)))
    const body = code.replaceAll("'…'", `'${clientKey}'`).replaceAll("appId: 'shop'", "appId: 'demo'")
    await page.route(`${baseUrl}/page`, (route) => route.fulfill({ contentType: 'text/html', body }))
    const registered = page.waitForResponse((response) => response.url().endsWith('/api/installations'))
    await page.goto(`${baseUrl}/page`)
    if (!(await registered).ok()) faults.push(await (await registered).text())
    return faults.length > 0 ? faults.join('\n') : undefined
  } catch (error) {
    return String(error)
  } finally {
    await browser.close()
  }
}
