import { createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { expect, it, onTestFinished } from 'vitest'
import { runAsService, watchSecondConnections } from './connection-scope.ts'

const store = await createTestStore()

it('whoever holds a connection and asks for another is told of, and nobody else', async () => {
  const seen: string[] = []
  let asking = ''
  onTestFinished(
    watchSecondConnections(({ heldAt, askedAt }) => seen.push(`${asking}: ${heldAt.name} ${askedAt.name}`)),
  )
  const ask = (name: string) => {
    asking = name
    return store.query(sql`select 1`)
  }
  const over = Promise.withResolvers<void>()
  let runningOn: Promise<unknown> | undefined
  await ask('before')
  await store.transaction(async (tx) => {
    await tx.query(sql`select 1`)
    await ask('a statement')
    asking = 'a transaction'
    await store.transaction((inner) => inner.query(sql`select 1`))
    await runAsService(() => ask('work for all'))
    runningOn = over.promise.then(() => ask('what runs on'))
  })
  over.resolve()
  await runningOn
  expect(seen).toEqual(['a statement: Error Error', 'a transaction: Error Error'])
})
