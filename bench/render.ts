import type { MessageContent } from '@peyk/server/features/messages/compose/compose-message.ts'
import { compilePush } from '@peyk/server/features/messages/payloads/compile-push.ts'
import type { PushMessage, PushTarget, Recipient } from '@peyk/server/features/messages/payloads/compiled-push.ts'
import type { BenchOptions } from './measure/options.ts'
import { keepResult } from './measure/result.ts'
import { median, medianRatio, runRounds, type Subject } from './measure/rounds.ts'
import { printTable } from './measure/table.ts'

const android: PushTarget = { provider: 'fcm', platform: 'android' }
const recipientCount = 50_000
const names = {
  stringify: 'JSON.stringify of the payload (limit)',
  fixed: 'the same for everybody',
  name: 'a name',
  more: 'filters and a condition',
}
const contents: Record<'fixed' | 'name' | 'more', MessageContent> = {
  fixed: textOf('Your order is on its way.'),
  name: textOf('{{ user.firstName }}, your order is on its way.'),
  more: textOf(
    '{% if user.isMember %}Dear {{ user.firstName | default: "friend" | upcase }}{% else %}Hello{% endif %}, {{ user.score | plus: 1 }} points.',
  ),
}

/** Pushes as FCM gets them, rendered for one recipient after the other on one core. */
export async function benchRender(options: BenchOptions): Promise<void> {
  const recipients = makeRecipients()
  const subjects: Subject<number>[] = [
    { name: names.stringify, measure: async () => stringifyFor(recipients) },
    ...(['fixed', 'name', 'more'] as const).map((kind) => ({
      name: names[kind],
      measure: async () => renderFor(contents[kind], recipients),
    })),
  ]
  for (const subject of subjects) await subject.measure(0)
  const { measured, othersCores } = await runRounds(options.rounds, subjects, (micros) => `${micros.toFixed(2)} µs`)
  const figures = (name: string) => measured.get(name) ?? []
  printTable(
    'Rendering: one push',
    ['text', 'µs', '÷ limit'],
    Object.values(names).map((name) => [
      name,
      median(figures(name)),
      medianRatio(figures(name), figures(names.stringify)),
    ]),
  )
  const goals = [
    { what: 'a name ÷ JSON.stringify', value: medianRatio(figures(names.name), figures(names.stringify)), atMost: 12 },
  ]
  await keepResult('render', options, goals, {
    rounds: options.rounds,
    othersCores,
    micros: Object.fromEntries(Object.values(names).map((name) => [name, median(figures(name))])),
  })
}

function textOf(body: string): MessageContent {
  return { content: body, notification: { title: 'On its way', body, clickUrl: 'https://shop.example/orders' } }
}

function makeRecipients(): Recipient[] {
  return Array.from({ length: recipientCount }, (_, index) => ({
    userId: `user-${index}`,
    installationId: `installation-${index}`,
    deviceType: 'android',
    attributes: { firstName: `Sara ${index}`, isMember: index % 2 === 0, score: index },
    promoCode: undefined,
  }))
}

/** Microseconds for each. */
function renderFor(content: MessageContent, recipients: readonly Recipient[]): number {
  const at = new Date()
  const compiled = compilePush(makeMessage(content, at), { name: 'Shop', notificationText: undefined, icon: undefined })
  const startedAt = performance.now()
  if (compiled.needsSlowTexts(recipients)) throw new Error('This text should be cheap.')
  for (const recipient of recipients) {
    const push = compiled.render(android, at, recipient)
    if (push.kind !== 'ready') throw new Error(push.detail)
  }
  return microsSince(startedAt, recipients.length)
}

function stringifyFor(recipients: readonly Recipient[]): number {
  const { content, notification } = contents.fixed
  const startedAt = performance.now()
  let bytes = 0
  for (const { attributes } of recipients)
    bytes += Buffer.byteLength(
      JSON.stringify({
        data: { content },
        notification: { ...notification, body: `${attributes.firstName}, ${content}` },
      }),
    )
  if (bytes === 0) throw new Error('Nothing was written.')
  return microsSince(startedAt, recipients.length)
}

function makeMessage(content: MessageContent, acceptedAt: Date): PushMessage {
  return {
    id: '0199f1d2-0000-7000-8000-000000000000',
    product: 'message',
    trackId: undefined,
    clientId: undefined,
    acceptedAt,
    expiresAt: new Date(acceptedAt.getTime() + 3_600_000),
    content,
  }
}

function microsSince(startedAt: number, count: number): number {
  return ((performance.now() - startedAt) * 1000) / count
}
