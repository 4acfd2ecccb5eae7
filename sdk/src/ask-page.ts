import type { BuildAnswer, OpenAnswer } from './notification/hooks.ts'
import { isHeld, leaderLock, type Question, type TabChannel } from './tab-channel.ts'

const answerLimitMs = 2_500

/** The service worker asks the page that leads; undefined when there is none, or when it does not answer in time. */
export async function askPage<Answer extends BuildAnswer | OpenAnswer>(
  channel: TabChannel,
  appId: string,
  question: Question,
): Promise<Answer | undefined> {
  if (!(await isHeld(leaderLock(appId)))) return undefined
  return new Promise((resolve) => {
    const id = crypto.randomUUID()
    const end = (answer?: Answer) => {
      stopListening()
      clearTimeout(timer)
      resolve(answer)
    }
    const stopListening = channel.listen((message) => {
      if (message.kind === 'answer' && message.id === id) end(message.answer as Answer)
    })
    const timer = setTimeout(end, answerLimitMs)
    // A page that wakes up later must not do again what was done without it.
    channel.post({ kind: 'question', id, until: Date.now() + answerLimitMs, question })
  })
}
