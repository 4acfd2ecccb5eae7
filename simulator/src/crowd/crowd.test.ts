import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestApp, createTestToken } from '@peyk/test/database/test-store.ts'
import { poll } from '@peyk/test/runner/poll.ts'
import { caller, createTestServer } from '@peyk/test/service/test-server.ts'
import { expect, it, onTestFinished } from 'vitest'
import { type SimulatorOptions, startSimulator } from '../simulator.ts'
import { decideArrival, decideReaction } from './decide-reaction.ts'
import { makePerson } from './person.ts'

const { baseUrl, store } = await createTestServer()

/** Each test has an app, and so users, of its own. */
async function makeApp() {
  const ctx = await createTestApp(store)
  const service = { baseUrl, clientKey: await createTestToken(ctx, ['client']) }
  const call = caller(baseUrl, await createTestToken(ctx))
  const devicesOf = async (userId: string) =>
    (await call('GET', `/api/installations/fetchByUserId/${userId}`)).body as {
      id: string
      uninstalled: boolean
      deviceToken?: string
      launchCount?: number
    }[]
  const countUsers = async () => (await call('POST', '/api/segments/count', { target: {} })).body.users as number
  return { service, call, devicesOf, countUsers }
}

async function start(options: SimulatorOptions) {
  const simulator = await startSimulator(options)
  onTestFinished(() => simulator.close())
  const { crowd } = simulator
  const isComplete = () => poll(() => crowd.view().members, { interval: 50 }).toBe(crowd.view().size)
  return { simulator, crowd, isComplete }
}

async function makeStateFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'peyk-crowd-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return join(folder, 'simulator.json')
}

it('joins one after the other, and is the same after a restart', async () => {
  const { service, devicesOf, countUsers } = await makeApp()
  const stateFile = await makeStateFile()
  const first = await start({ stateFile, service: { ...service, crowd: { size: 4 } } })
  await first.isComplete()
  expect(await countUsers()).toBe(4)
  for (const no of [2, 3, 4, 5]) {
    const { platform, details } = makePerson(no)
    expect(await devicesOf(`user-${no}`)).toMatchObject([{ deviceType: platform, ...details }])
  }
  first.crowd.set({ pace: 0.5 })
  const before = first.crowd.kept()
  await first.simulator.close()
  const second = await start({ stateFile })
  expect(second.crowd.kept()).toEqual(before)
  second.crowd.set({ size: 5 })
  await second.isComplete()
  expect(await countUsers()).toBe(5)
})

it('rests where the service asks for none, and has the size that the service names', async () => {
  const { service, countUsers } = await makeApp()
  const { simulator, crowd, isComplete } = await start({ service })
  crowd.set({ size: 3, pace: 100 })
  simulator.phones.add({ platform: 'android', userId: 'somebody' })
  await poll(countUsers).toBe(1)
  expect(crowd.view()).toEqual({ size: 3, pace: 100, members: 0, connected: 0, pending: 0 })
  simulator.useService({ ...service, crowd: {} })
  await isComplete()
  simulator.useService({ ...service, crowd: { size: 2 } })
  await isComplete()
  expect(crowd.view().size).toBe(2)
})

it('signs off when it is to be smaller', async () => {
  const { service, devicesOf } = await makeApp()
  const { crowd, isComplete } = await start({ service: { ...service, crowd: { size: 3 } } })
  await isComplete()
  crowd.set({ size: 1 })
  await isComplete()
  const uninstalled = async (no: number) => (await devicesOf(`user-${no}`)).map((device) => device.uninstalled)
  expect(await Promise.all([2, 3, 4].map(uninstalled))).toEqual([[false], [true], [true]])
  crowd.set({ size: 2 })
  await isComplete()
  expect((await devicesOf('user-3')).filter((device) => !device.uninstalled)).toHaveLength(1)
})

it('tells another service who it is, as who it was', async () => {
  const { service } = await makeApp()
  const { simulator, isComplete } = await start({ service: { ...service, crowd: { size: 3 } } })
  await isComplete()
  const other = await makeApp()
  simulator.useService({ ...other.service, crowd: {} })
  await poll(other.countUsers).toBe(3)
  expect(await other.devicesOf('user-4')).toHaveLength(1)
})

it('has browsers that subscribe anew when their subscriptions lead nowhere any more', async () => {
  const { service, call, devicesOf } = await makeApp()
  await call('PUT', '/api/providers/webpush', { subject: 'mailto:test@example.com' })
  const stateFile = await makeStateFile()
  await (await start({ stateFile })).simulator.close()
  const kept = JSON.parse(await readFile(stateFile, 'utf8'))
  const no = Array.from({ length: 50 }, (_, index) => index + 2).find((each) => makePerson(each).platform === 'web')
  await writeFile(stateFile, JSON.stringify({ ...kept, crowd: { ...kept.crowd, nextNo: no } }))
  const { crowd, isComplete } = await start({ stateFile, service: { ...service, crowd: { size: 1 } } })
  await isComplete()
  const readToken = async () => (await devicesOf(`user-${no}`))[0]?.deviceToken
  await poll(readToken).toContain('/push/')
  const before = await readToken()
  crowd.subscribeBrowsersAgain()
  await poll(readToken).not.toBe(before)
})

/** What makes this member do that soon after it came. */
function findPush(no: number, act: string) {
  for (let index = 0; ; index++) {
    const id = `m-${index}`
    const arrivesAfterMs = decideArrival(no, id) ?? Number.POSITIVE_INFINITY
    const reaction = decideReaction(no, makePerson(no), { messageId: id, actions: [] })
    if (arrivesAfterMs < 5_000 && reaction?.act === act && reaction.afterMs < 60_000)
      return {
        pushId: id,
        content: { data: { messageId: id, title: 'Hi' }, aps: { alert: 'Hi' }, messageId: id, title: 'Hi' },
        expiresAt: Date.now() + 3_600_000,
        collapseKey: undefined,
      }
  }
}

it('loses who removes the app after a message: the token is dead then, and somebody else comes', async () => {
  const { service, devicesOf } = await makeApp()
  const { simulator, crowd, isComplete } = await start({ service: { ...service, crowd: { size: 2 } } })
  await isComplete()
  const leaving = crowd.kept().members.find(({ no }) => makePerson(no).provider === 'fcm')
  const { no, address } = leaving as { no: number; address: string }
  crowd.set({ pace: 10_000 })
  expect(crowd.arrive(address, findPush(no, 'uninstall'))).toBe(true)
  await poll(() => crowd.kept().members.some((member) => member.no === no)).toBe(false)
  expect(simulator.providers.tokens.deadSince('fcm', address.slice('fcm:'.length))).toBeGreaterThan(0)
  expect(crowd.kept().left).toEqual([{ platform: 'android', address }])
  expect(crowd.arrive(address, findPush(no, 'open'))).toBe(false)
  await isComplete()
  expect(await devicesOf('user-4')).toHaveLength(1)
})

it('comes to the shop again when it opens what it got', async () => {
  const { service, devicesOf } = await makeApp()
  const { crowd, isComplete } = await start({ service: { ...service, crowd: { size: 1 } } })
  await isComplete()
  crowd.set({ pace: 1_000 })
  const { no, address } = crowd.kept().members[0] as { no: number; address: string }
  crowd.arrive(address, findPush(no, 'open'))
  await poll(async () => (await devicesOf(`user-${no}`))[0]?.launchCount).toBeGreaterThan(1)
})

it('uses the devices that the service knew before, as long as it has anybody', async () => {
  const { service, call, devicesOf } = await makeApp()
  const { simulator, crowd, isComplete } = await start({})
  const deviceToken = simulator.providers.tokens.issue('fcm', 'earlier')
  const sent = { deviceType: 'android', uniqueId: 'earlier', isGuest: true, deviceToken, launchCount: 7 }
  const { id, userId } = (await call('POST', '/api/installations', sent)).body as { id: string; userId: string }
  const device = { installationId: id, userId, isGuest: true, platform: 'android' as const, deviceToken }
  const devices = [{ ...device, vapidKey: null, timeZone: 'Nowhere', launchCount: 7 }]
  simulator.useService({ ...service, crowd: { size: 1, devices } })
  await isComplete()
  crowd.set({ pace: 1_000 })
  expect(crowd.arrive('fcm:earlier', findPush(-1, 'open'))).toBe(true)
  const readDevice = async () => (await call('GET', `/api/installations/${id}`)).body
  await poll(async () => (await readDevice()).launchCount).toBe(8)
  expect(await readDevice()).toMatchObject({ userId, isGuest: true, uniqueId: 'earlier', uninstalled: false })
  crowd.set({ size: 0 })
  expect(crowd.arrive('fcm:earlier', findPush(-1, 'open'))).toBe(false)
  await poll(async () => (await devicesOf('user-2')).map(({ uninstalled }) => uninstalled)).toEqual([true])
  expect((await readDevice()).uninstalled).toBe(false)

  crowd.set({ size: 1 })
  crowd.arrive('fcm:earlier', findPush(-1, 'uninstall'))
  await poll(() => simulator.providers.tokens.deadSince('fcm', 'earlier')).toBeGreaterThan(0)
  simulator.useService({ ...service, crowd: { devices } })
  expect(crowd.arrive('fcm:earlier', findPush(-1, 'open'))).toBe(false)
})
