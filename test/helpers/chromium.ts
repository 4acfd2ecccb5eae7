import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { chromium } from 'playwright-core'

const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
]

/** Before the tests that need a browser: there is one, or it is installed. */
export function setup(): void {
  if (findChromium() !== undefined) return
  const isDebianRoot = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
  if (isDebianRoot) installByApt()
  else installByPlaywright()
  if (findChromium() === undefined) throw new Error('Chromium could not be installed; install it by hand.')
}

/** Of the system, or what playwright-core installed. */
export function findChromium(): string | undefined {
  return [...places, chromium.executablePath()].find((path) => existsSync(path))
}

function installByApt(): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const run = (...words: string[]) => execFileSync('apt-get', words, { stdio: 'inherit', env })
  run('update', '-qq')
  run('install', '-y', '-qq', '--no-install-recommends', 'chromium')
}

function installByPlaywright(): void {
  const manifest = createRequire(import.meta.url).resolve('playwright-core/package.json')
  execFileSync(process.execPath, [join(dirname(manifest), 'cli.js'), 'install', 'chromium'], { stdio: 'inherit' })
}
