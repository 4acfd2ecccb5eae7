import { connect } from '@nats-io/transport-node'
import { createTestStore } from '@peyk/test/database/test-store.ts'
import { hasNats, NatsServer, noNats } from '@peyk/test/programs/nats.ts'
import { until } from '@peyk/test/runner/until.ts'
import { pino } from 'pino'
import { expect, it, onTestFinished, type TestContext } from 'vitest'
import { openStore } from '../../store/store.ts'
import { busOf } from '../bus.ts'
import type { NatsAddress } from './nats-address.ts'
import { openNats } from './open-nats.ts'

const store = await createTestStore()
const secret = 's3cret-word'
/** On a busy machine an answer may take long. */
const patientMs = 60_000

async function startServer({ skip }: Pick<TestContext, 'skip'>) {
  skip(!hasNats(), noNats)
  const server = await NatsServer.start(['--user', 'peyk', '--pass', secret])
  const address: NatsAddress = { servers: [`127.0.0.1:${server.port}`], user: 'peyk', pass: secret, isTls: false }
  return { server, address }
}

/** A process that hears of `news`, and what it logs. */
function startProcess(address: NatsAddress, answerMs?: number) {
  const own = openStore(store.url, { poolSize: 2 })
  const lines: string[] = []
  const close = openNats(own, address, pino({ level: 'trace' }, { write: (line) => void lines.push(line) }), answerMs)
  onTestFinished(async () => {
    await own.drain()
    await close()
    await own.close()
  })
  const bus = busOf(own)
  const heard: unknown[] = []
  bus.on('news', (body) => heard.push(body))
  return { bus, heard, logged: () => lines.join(''), isOpen: () => until(() => bus.isOpen, Boolean) }
}

/** The subjects of all that goes over the server. */
async function watch({ servers, user, pass }: NatsAddress) {
  const connection = await connect({ servers, user: user as string, pass: pass as string })
  onTestFinished(() => connection.close())
  const subjects: string[] = []
  connection.subscribe('peyk.>', { callback: (_error, { subject }) => void subjects.push(subject) })
  await connection.flush()
  return subjects
}

it('brings what is told to all in order, to one alone, and to one of many; what is too large goes by NOTIFY', async (test) => {
  const { address } = await startServer(test)
  const subjects = await watch(address)
  const [one, two, three] = [startProcess(address, patientMs), startProcess(address), startProcess(address)]
  const woken: string[] = []
  for (const [name, { bus }] of Object.entries({ two, three }))
    bus.hear('work', () => woken.push(name), { byOne: true })
  await Promise.all([one, two, three].map(({ isOpen }) => isOpen()))
  const large = 'پیک'.repeat(400_000)
  one.bus.tell('news', 1)
  one.bus.tell('news', { text: 'پیک 🕊 "' })
  one.bus.tell('news', 'only two', two.bus.id)
  one.bus.tell('work', null)
  await one.bus.tell('news', large)
  await until(
    () => [two.heard.length, three.heard.length],
    ([ofTwo, ofThree]) => ofTwo === 4 && ofThree === 3,
  )
  expect(two.heard).toEqual([1, { text: 'پیک 🕊 "' }, 'only two', large])
  expect(three.heard).toEqual([1, { text: 'پیک 🕊 "' }, large])
  expect(one.heard).toEqual([])
  expect(woken).toHaveLength(1)
  await until(
    () => subjects.length,
    (count) => count === 4,
  )
  expect(subjects.map((subject) => subject.replace(/^peyk\.[0-9a-f]{16}\./, ''))).toEqual([
    ...['all.news', 'all.news', `to.${two.bus.id}`, 'all.work'],
  ])
})

it('tells by NOTIFY while the server is away or hangs, and by NATS again when it is back', async (test) => {
  const { server, address } = await startServer(test)
  await server.end('SIGKILL')
  const [one, two] = [startProcess(address), startProcess(address)]
  const told = async (body: string) => {
    await one.bus.tell('news', body)
    await until(
      () => two.heard.at(-1),
      (last) => last === body,
    )
  }
  await until(
    () => two.logged(),
    (text) => text.includes('NATS cannot be reached yet'),
  )
  const hearsNotify = () => one.bus.tell('news', 'begun').then(() => two.heard.includes('begun'))
  await until(hearsNotify, Boolean)
  expect(two.bus.hearing).toBeUndefined()

  await server.start()
  await Promise.all([one, two].map(({ isOpen }) => isOpen()))
  const subjects = await watch(address)
  const before = two.bus.hearing
  let times = 0
  const tellAndCount = () => told(`by NATS ${++times}`).then(() => subjects.length)
  await until(tellAndCount, (count) => count > 0)

  await server.end('SIGKILL')
  await until(
    () => one.bus.isNatsOpen,
    (isOpen) => !isOpen,
  )
  await told('by NOTIFY')
  await server.start()
  await Promise.all([one, two].map(({ isOpen }) => isOpen()))
  expect(two.bus.hearing).toBeGreaterThan(before as number)
  await told('again')

  server.signal('SIGSTOP')
  const tellIt = () => one.bus.tell('news', 'into a server that hangs').then(() => one.bus.isNatsOpen)
  await until(tellIt, (isOpen) => !isOpen)
  await told('by NOTIFY again')
  server.signal('SIGCONT')
  await until(() => one.bus.isNatsOpen, Boolean)
  for (const { logged } of [one, two]) expect(logged()).not.toContain(secret)
})

it('says in the log that it is refused, without the password, and tells by NOTIFY', async (test) => {
  const { address } = await startServer(test)
  const refused = startProcess({ ...address, pass: 'wrong-word' })
  await until(refused.logged, (text) => text.includes('NATS cannot be reached yet'))
  expect(refused.logged()).not.toMatch(/wrong-word|s3cret/)
})

it('a server that is not there holds nothing up', async () => {
  const lines: string[] = []
  const nowhere: NatsAddress = { servers: ['127.0.0.1:1'], isTls: false }
  const close = openNats(store, nowhere, pino({}, { write: (line) => void lines.push(line) }))
  await until(
    () => lines.join(''),
    (text) => text.includes('NATS cannot be reached yet'),
  )
  await busOf(store).tell('news', null)
  await close()
})
