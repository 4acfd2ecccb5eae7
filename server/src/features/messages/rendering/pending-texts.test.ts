import { poll } from '@peyk/test/runner/poll.ts'
import { expect, it } from 'vitest'
import type { Recipient } from '../payloads/compiled-push.ts'
import { PendingTexts } from './pending-texts.ts'

const recipient = (): Recipient => ({
  userId: 'sara',
  attributes: {},
  promoCode: undefined,
  installationId: '',
  deviceType: '',
})

it('a text that could not be written is logged, and written when it is asked for again', async () => {
  const logged: unknown[] = []
  const texts = new PendingTexts({ error: (...given: unknown[]) => void logged.push(given) })
  const fault = new Error('no process could be started')
  texts.begin(
    'key',
    recipient(),
    () => Promise.reject(fault),
    () => undefined,
  )
  await poll(() => logged).toMatchObject([[{ err: fault }, expect.any(String)]])
  expect(texts.take('key')).toBeUndefined()
  const again = recipient()
  const write = async () => {
    again.written = new Map([['text', { text: 'written' }]])
  }
  await new Promise<void>((onReady) => texts.begin('key', again, write, onReady))
  expect(texts.take('key')).toEqual(again.written)
})
