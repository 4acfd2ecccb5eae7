import type { DryRun } from '@peyk/contract'
import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import { expect, it } from 'vitest'
import { setAttributes } from '../../installations/attributes/set-attributes.ts'
import { addDevice } from './preview.test-support.ts'
import { previewSend } from './preview-send.ts'

const store = await createTestStore()

async function createApp() {
  const ctx = await createTestApp(store)
  for (const userId of ['sara', 'sara', 'omid', 'mina']) await addDevice(ctx, userId)
  const { id: own } = await addDevice(ctx, 'reza')
  await setAttributes(ctx, { userId: 'sara', attributes: { firstName: 'Sara', city: 'Yazd' } })
  await setAttributes(ctx, { userId: 'mina', attributes: { firstName: '' } })
  await setAttributes(ctx, { installationId: own, attributes: { firstName: 'Reza' } })
  return ctx
}

const gaps = ({ faultCodes }: DryRun) => faultCodes.filter(({ code }) => code === 'no-fallback')

it('says on how many devices a variable without a fallback stays empty', async () => {
  const ctx = await createApp()
  const content = 'Hi {{ user.firstName }} of {{ user.city | default: "here" }}, {{ user.nosuch }}'
  const dryRun = await previewSend(ctx, { sent: { user: '*', content }, product: 'message', to: 'users' })
  expect(gaps(dryRun)).toEqual([{ code: 'no-fallback', variable: 'user.firstName', count: 2 }])
  expect(dryRun.faults).toContain(
    '{{ user.firstName }} stays empty on 2 installations: it has no fallback, such as {{ user.firstName | default: "friend" }}.',
  )
  const toGroup = await previewSend(ctx, { sent: { target: {}, content }, product: 'message', to: 'group' })
  expect(gaps(toGroup)).toEqual(gaps(dryRun))
})

it('counts those of each message of a list, and says nothing where everybody has a value', async () => {
  const ctx = await createApp()
  const sent = [
    { user: 'omid', content: '{{ user.firstName }}' },
    { user: 'sara', content: '{{ user.firstName }} {{ user.city }}' },
    { users: ['sara', 'mina'], content: '{{ user.city }}' },
  ]
  const previews = (await previewSend(ctx, { sent, product: 'message', to: 'users' })) as DryRun[]
  expect(previews.map(gaps)).toEqual([
    [{ code: 'no-fallback', variable: 'user.firstName', count: 1 }],
    [],
    [{ code: 'no-fallback', variable: 'user.city', count: 1 }],
  ])
})
