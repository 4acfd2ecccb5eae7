import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import { expect, it } from 'vitest'
import { setAttributes } from '../../installations/attributes/set-attributes.ts'
import type { MessageContent } from '../../messages/compose/compose-message.ts'
import { addDevice } from './preview.test-support.ts'
import { previewSend } from './preview-send.ts'
import { findUnknownVariables } from './unknown-variables.ts'

const store = await createTestStore()

it('variables are unknown when no user of the app has them; what was probably meant is said', async () => {
  const [ctx, other] = [await createTestApp(store), await createTestApp(store)]
  await addDevice(ctx, 'sara')
  await addDevice(other, 'sara')
  await setAttributes(ctx, { userId: 'sara', attributes: { firstName: 'Sara' } })
  await setAttributes(other, { userId: 'sara', attributes: { points: 5 } })
  const content =
    '{{ user.firstName }} {{ user.frstName }} {{ firstName }} {{ user.points }} {{ userid }} {{ user.id }}'
  expect(await findUnknownVariables(ctx, { content } as MessageContent)).toEqual([
    { variable: 'user.frstName', suggestion: 'user.firstName' },
    { variable: 'user.points' },
    { variable: 'firstName', suggestion: 'user.firstName' },
    { variable: 'userid', suggestion: 'userId' },
  ])
})

it('unknown variables are among the faults of a dry run', async () => {
  const ctx = await createTestApp(store)
  await addDevice(ctx, 'sara')
  await setAttributes(ctx, { userId: 'sara', attributes: { firstName: 'Sara' } })
  const preview = (content: string) =>
    previewSend(ctx, { sent: { user: 'sara', content }, product: 'message', to: 'users' })
  const { faults, faultCodes } = await preview('Hi {{ user.frstName }}, welcome')
  expect(faultCodes).toContainEqual({
    code: 'unknown-variable',
    variable: 'user.frstName',
    suggestion: 'user.firstName',
  })
  expect(faults).toContain(
    'No user has what {{ user.frstName }} asks for: its place stays empty. Did you mean {{ user.firstName }}?',
  )
  const fine = await preview('Hi {{ user.firstName }}, welcome')
  expect(fine.faultCodes.map(({ code }) => code)).not.toContain('unknown-variable')
})
