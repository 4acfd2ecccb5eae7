import { expect, it } from 'vitest'
import { silentLog } from '../../../../../test/helpers/database/test-store.ts'
import { UndoList } from './undo-list.ts'

it('stops what was started in the opposite order, past those that fail or hang', async () => {
  const undo = new UndoList()
  const stopped: string[] = []
  const step = (what: string, end?: () => Promise<void>) => ({
    what,
    limitMs: 50,
    run: async () => {
      stopped.push(what)
      await end?.()
    },
  })
  undo.add(step('first'))
  undo.add(step('failing', () => Promise.reject(new Error('no'))))
  undo.add(step('hanging', () => new Promise(() => {})))
  undo.add(step('last'))
  await undo.undoAll(silentLog)
  await undo.undoAll(silentLog)
  expect(stopped).toEqual(['last', 'hanging', 'failing', 'first'])
})
