import { readFileSync } from 'node:fs'
import type { TestProject } from 'vitest/node'
import { installByApt, mayUseApt } from './install-program.ts'
import { findProgram } from './programs.ts'

/** Why a test that needs it is skipped. */
export const noMosquitto = 'mosquitto is not installed; as root: apt-get install mosquitto mosquitto-clients'

/** Before the tests that talk to Debian's broker and clients: they are there, or they are installed where that is possible. */
export function setup(project: TestProject): void {
  const files = project.vitest.state.getPaths()
  if (files.some((file) => /mosquitto/.test(readFileSync(file, 'utf8')))) installMosquitto()
}

export function installMosquitto(): void {
  if (isThere() || !mayUseApt()) return
  console.log('mosquitto is not installed; installing it by apt-get …')
  try {
    installByApt(['mosquitto', 'mosquitto-clients'], { service: 'mosquitto' })
  } catch (error) {
    console.error(`mosquitto could not be installed: ${(error as Error).message.split('\n', 1)[0]}`)
  }
}

function isThere(): boolean {
  return ['mosquitto', 'mosquitto_sub', 'mosquitto_pub'].every((name) => findProgram(name) !== undefined)
}
