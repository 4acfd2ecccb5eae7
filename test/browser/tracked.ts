import type { Page } from 'playwright-core'
import type { openStory } from './story.ts'

type Story = Awaited<ReturnType<typeof openStory>>

export const numbered = (count: number) =>
  Array.from({ length: count }, (_, at) => `Event${String(at).padStart(3, '0')}`)

export const trackAll = (page: Page, names: string[], text = '') =>
  page.evaluate(
    async ([all, said]) => {
      for (const name of all) await window.peyk.track(name, { said })
    },
    [names, text] as const,
  )

/** The events that the service has of the user, oldest first. */
export async function readNames(story: Story, userId: string): Promise<string[]> {
  const { body } = await story.call('GET', `/api/events?userId=${userId}&limit=100`)
  return (body.data as { eventName: string }[]).map(({ eventName }) => eventName).reverse()
}
