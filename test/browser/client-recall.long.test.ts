import { expect, it } from 'vitest'
import { deliverPush } from '../helpers/browser.ts'
import { openPushedBrowser } from './pushed-browser.ts'
import { connected, openStory, poll, shownOn } from './story.ts'

const story = await openStory()

const recall = async (id: string) => {
  const { status, body } = await story.call('POST', `/api/messages/${id}/recall`)
  expect(status, JSON.stringify(body)).toBe(200)
}

it('a recall over the connection empties the inbox, closes the notification, and is told in every tab', async () => {
  const context = await story.openBrowser()
  const page = await story.openTab(context)
  await page.evaluate(() => window.peyk.login('recalled'))
  await page.evaluate(() => window.peyk.enableWebPush())
  await connected(page)
  const tab = await story.openTab(context)
  for (const each of [page, tab])
    await each.evaluate(() => {
      const told: string[] = []
      Object.assign(window, { told })
      window.peyk.on('recall', ({ messageId }) => told.push(messageId))
    })
  const send = (title: string) =>
    story.send('toUsers', { user: 'recalled', content: title, notification: { title, body: 'Hello' } })
  const [wrong, right] = [await send('Wrong'), await send('Right')]
  await poll(() => story.statesOf(wrong.id)).toMatchObject({ shown: 1 })
  await poll(() => story.statesOf(right.id)).toMatchObject({ shown: 1 })
  await recall(wrong.id)
  for (const each of [page, tab])
    await poll(() => each.evaluate(() => (window as unknown as { told: string[] }).told)).toEqual([wrong.id])
  expect((await page.evaluate(() => window.peyk.inbox())).map(({ id }) => id)).toEqual([right.id])
  await poll(async () => (await shownOn(page)).map(({ tag }) => tag)).toEqual([right.id])
  await poll(async () => (await story.call('GET', `/api/messages/${wrong.id}`)).body).toMatchObject({
    state: 'recalled',
    recall: { cleared: 1, notReachable: 0 },
    states: { shown: 1, dismissed: 0 },
  })
})

it('a recall by push closes the notification, and one that comes before its message keeps that from being shown', async () => {
  const { page, shown } = await openPushedBrowser(story)
  const [wrong, right] = [await shown(), await shown()]
  const late = await story.send('notifyUsers', { user: 'pushed', content: 'Late' })
  const push = await story.pushOf(late.id)
  await deliverPush(page, { clear: wrong })
  await poll(async () => (await shownOn(page)).map(({ tag }) => tag)).toEqual([right])
  await deliverPush(page, { clear: late.id })
  await deliverPush(page, push)
  const next = await shown()
  expect((await shownOn(page)).map(({ tag }) => tag)).toEqual([right, next])
  expect(await story.statesOf(wrong)).toMatchObject({ shown: 1, dismissed: 0 })
})
