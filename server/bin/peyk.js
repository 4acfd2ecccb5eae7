#!/usr/bin/env node
// Plain JavaScript that an old Node can read too: it finds a Node that runs the TypeScript of ../src as it stands.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import * as module from 'node:module'
import { fileURLToPath } from 'node:url'

const [major, minor] = process.versions.node.split('.').map(Number)

if (major > 22 || (major === 22 && minor >= 18)) {
  // Keeps what was read and compiled: the next start takes half the time. Where it cannot be written, nothing is kept.
  module.enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/peyk', import.meta.url)))
  await import('../src/main.ts')
} else runWithPinnedNode()

function runWithPinnedNode() {
  const pinned = fileURLToPath(new URL('../../node_modules/.bin/node', import.meta.url))
  if (!existsSync(pinned)) {
    fail(
      `Peyk needs Node.js 22.18 or newer, this is ${process.versions.node}: install a newer one, or run npm install here, which brings one along.`,
    )
    return
  }
  const child = spawn(pinned, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  // npm does not tell us of all that ends it, and the other Node sees only us.
  const parent = process.ppid
  if (process.env.npm_lifecycle_event) setInterval(() => process.ppid === parent || child.kill('SIGHUP'), 500).unref()
  child.once('error', (error) => fail(`${pinned} does not run: ${error.message}`))
  child.once('exit', (code, signal) => {
    if (!signal) process.exit(code)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}

function fail(message) {
  process.stderr.write(`peyk: ${message}\n`)
  process.exitCode = 1
}
