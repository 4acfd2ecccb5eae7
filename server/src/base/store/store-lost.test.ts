import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { openStore, type Store } from './store.ts'

/** As PostgreSQL does when it is ended at the wrong moment: it lets the client in and says goodbye in the same packet. */
const goodbye = createServer((socket) => {
  socket.on('error', () => undefined)
  socket.once('data', () => socket.end(Buffer.concat([welcome, ready, fatal])))
})
const message = (type: string, body: Buffer) => {
  const head = Buffer.alloc(5, type)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}
const welcome = message('R', Buffer.alloc(4))
const ready = message('Z', Buffer.from('I'))
const fatal = message('E', Buffer.from('SFATAL\0C57P01\0Mterminating connection\0\0'))

let store: Store
beforeAll(async () => {
  goodbye.listen(0, '127.0.0.1')
  await once(goodbye, 'listening')
  const { port } = goodbye.address() as AddressInfo
  store = openStore({ host: '127.0.0.1', port, user: 'peyk', password: '', database: 'peyk' }, { poolSize: 2 })
})
afterAll(async () => {
  await store.close()
  goodbye.close()
})

it('a connection that is lost as soon as it is there fails what wanted it, and nothing else', async () => {
  const uncaught: unknown[] = []
  const note = (error: unknown) => void uncaught.push(error)
  process.on('uncaughtException', note)
  onTestFinished(() => void process.off('uncaughtException', note))
  const away = { code: 'store-away' }
  await expect(store.transaction((tx) => tx.query(sql`select 1`))).rejects.toMatchObject(away)
  await expect(store.query(sql`select 1`)).rejects.toMatchObject(away)
  expect(uncaught).toEqual([])
})
