import { execFileSync, spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { chromium } from 'playwright-core'
import { installByApt, mayUseApt } from './install-program.ts'
import { findProgram } from './programs.ts'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const ofMac = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'
const versionLimitMs = 60_000

interface Way {
  name: string
  isThere: boolean
  install(): void
}

/** Before the tests that need a browser: there is one, or it is installed. */
export function setup(): void {
  if (findChromium() !== undefined) return
  const failures: string[] = []
  for (const { name, isThere, install } of waysToInstall()) {
    if (!isThere) continue
    console.log(`Chromium is not installed; installing it by ${name} …`)
    try {
      install()
    } catch (error) {
      failures.push(`${name}: ${(error as Error).message.split('\n', 1)[0]}`)
    }
    found = undefined
    if (findChromium() !== undefined) return
  }
  throw new Error(
    `The tests in a browser need Chromium, and it could not be installed (${failures.join('; ') || 'it does not run'}). Install it by hand.`,
  )
}

let found: string | undefined

/** Of the system, or what playwright-core installed: the first that runs. Ubuntu has one that only says where to get it. */
export function findChromium(): string | undefined {
  found ??= [...names.map(findProgram), ofMac, chromium.executablePath()].find(
    (path) => path !== undefined && runs(path),
  )
  return found
}

function runs(path: string): boolean {
  const { status, stdout } = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: versionLimitMs })
  return status === 0 && /chrom/i.test(stdout)
}

function waysToInstall(): Way[] {
  return [
    { name: 'apt-get', isThere: mayUseApt(), install: () => installByApt(['chromium']) },
    { name: 'playwright-core', isThere: true, install: installByPlaywright },
  ]
}

/** The libraries that the browser needs come along where that is possible. */
function installByPlaywright(): void {
  const manifest = createRequire(import.meta.url).resolve('playwright-core/package.json')
  const words = ['install', ...(mayUseApt() ? ['--with-deps'] : []), 'chromium']
  execFileSync(process.execPath, [join(dirname(manifest), 'cli.js'), ...words], { stdio: 'inherit' })
}
