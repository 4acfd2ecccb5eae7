import { hasNats, NatsServer, noNats } from '@peyk/test/programs/nats.ts'
import { freePort } from '@peyk/test/service/service-process.ts'
import { expect, it } from 'vitest'
import { checkNats } from './check-nats.ts'

const addressOf = (port: number, pass: string) => ({ servers: [`127.0.0.1:${port}`], user: 'peyk', pass, isTls: false })

it('says nothing without NATS, and a fault where nothing answers', async () => {
  expect(await checkNats({ nats: undefined })).toEqual([])
  expect(await checkNats({ nats: addressOf(await freePort(), 's3cret') })).toMatchObject([{ code: 'nats-unreachable' }])
})

it('says whether it is let in, never with what', async ({ skip }) => {
  skip(!hasNats(), noNats)
  const { port } = await NatsServer.start(['--user', 'peyk', '--pass', 's3cret'])
  expect(await checkNats({ nats: addressOf(port, 's3cret') })).toMatchObject([{ state: 'ok', code: 'nats' }])
  const refused = await checkNats({ nats: addressOf(port, 'another-word') })
  expect(refused).toMatchObject([{ state: 'fault', code: 'nats-unreachable' }])
  expect(JSON.stringify(refused)).not.toContain('another-word')
})
