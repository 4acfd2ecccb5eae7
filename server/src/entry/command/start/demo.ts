import { createHash } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Config } from '#base/config.ts'
import type { External } from '#base/external.ts'
import type { Logger } from '#base/log.ts'
import { writeDurably } from '#base/store/embedded/durable-file.ts'
import type { Store } from '#base/store/store.ts'
import { getApp } from '#features/accounts/apps/get-app.ts'
import { type CrowdDevice, listCrowdDevices } from '#features/demo/list-crowd-devices.ts'
import { type DemoTokens, openDemoApp } from '#features/demo/open-demo-app.ts'
import { type DemoMember, openDemoMember } from '#features/demo/open-demo-member.ts'
import { CommandError } from '../command.ts'
import type { OpenSimulator } from './open-simulator.ts'

export interface Demo extends DemoTokens {
  path: string
  member: DemoMember
  /** Where the virtual phones are. */
  simulatorUrl: string
  /** Those that were made up with the app. */
  devices: CrowdDevice[]
}

/** The demo app with tokens and a password that work: those of demo.json when they do, new ones otherwise. */
export async function prepareDemo(
  ctx: { store: Store; log: Logger; now(): Date; external: External },
  config: Config,
  simulator: OpenSimulator,
): Promise<Demo> {
  const path = join(config.dataFolder, 'demo.json')
  const known = await readKnown(path)
  // The embedded database has one process and one folder; another one may have several of each.
  const place = config.databaseUrl === undefined ? undefined : nameOf(`${hostname()} ${config.dataFolder}`)
  const tokens = await openDemoApp(ctx, { known: known.tokens, place, simulator })
  const app = await getApp(ctx, { label: tokens.appId })
  const member = await openDemoMember({ ...ctx, app }, { known: known.password, place })
  const devices = await listCrowdDevices({ ...ctx, app })
  return { ...tokens, path, member, simulatorUrl: simulator.url, devices }
}

function nameOf(place: string): string {
  return createHash('sha256').update(place).digest('hex').slice(0, 8)
}

/** For whoever wants to try the service from a program: the names are agreed. */
export async function keepDemoFile(demo: Demo, baseUrl: string): Promise<void> {
  const content = {
    appId: demo.appId,
    accessToken: demo.accessToken,
    clientKey: demo.clientKey,
    baseUrl,
    panelUrl: `${baseUrl}/panel/`,
    panelEmail: demo.member.email,
    panelPassword: demo.member.password,
    simulatorUrl: demo.simulatorUrl,
  }
  const text = `${JSON.stringify(content, null, 2)}\n`
  if ((await readText(demo.path)) === text) return
  try {
    await mkdir(join(demo.path, '..'), { recursive: true, mode: 0o700 })
    await writeDurably(demo.path, text, 0o600)
  } catch (error) {
    throw unusable(demo.path, error)
  }
}

function unusable(path: string, error: unknown): CommandError {
  const { message } = error as Error
  return new CommandError(`The file ${path} cannot be used (${message}): set PEYK_DATA to a folder of this user.`, {
    cause: error,
  })
}

interface Known {
  tokens?: { accessToken: string; clientKey: string }
  password?: string
}

async function readKnown(path: string): Promise<Known> {
  try {
    const file = JSON.parse((await readText(path)) ?? '') as Record<string, unknown>
    const { accessToken, clientKey, panelPassword } = file
    return {
      ...(typeof accessToken === 'string' && typeof clientKey === 'string' && { tokens: { accessToken, clientKey } }),
      ...(typeof panelPassword === 'string' && { password: panelPassword }),
    }
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return {}
    throw error
  }
}

async function readText(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return undefined
    throw unusable(path, error)
  })
}
