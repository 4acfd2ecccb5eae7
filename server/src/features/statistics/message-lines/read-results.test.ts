import { addDevices, createDelivery } from '@peyk/test/delivery.ts'
import { until } from '@peyk/test/runner/until.ts'
import { afterAll, expect, it } from 'vitest'
import { sendByQuery } from '../../messages/send/send-by-query.ts'
import { recordReceipts } from '../../receipts/record-receipts.ts'
import { describeCampaign } from '../campaigns/describe-campaign.ts'
import { listCampaignLines } from '../campaigns/list-campaign-lines.ts'
import { describeMessage } from './describe-message.ts'
import { listMessageLines } from './list-message-lines.ts'

const { providers, createApp, startDispatcher } = await createDelivery()
const dispatcher = startDispatcher()
afterAll(() => dispatcher.stop())

const devices = 160
const variants = ['A', 'B'].map((name) => ({ name, share: 50, notification: { title: name } }))

it('reads all numbers of a message and of its campaign at one moment, while everything moves', async () => {
  const ctx = await createApp()
  const phones = await addDevices(ctx, providers, 'fcm', devices)
  const { id } = await sendByQuery(ctx, {
    ...{ target: {}, content: 'Hello', notification: { title: 'Hello' }, trackId: 'spring', variants },
  })
  let isOver = false
  const acting = (async () => {
    for (const [index, { installationId }] of phones.entries()) {
      const kinds = (['shown', 'opened'] as const).slice(0, 1 + (index % 2))
      await recordReceipts(ctx, {
        installationId,
        receipts: kinds.map((kind) => ({ messageId: id, kind, actionId: '', happenedAt: ctx.now() })),
      })
    }
    isOver = true
  })()
  const seen: number[] = []
  const look = async () => {
    const message = await describeMessage(ctx, { id })
    const { states, opens, test, count, progress } = message
    const opened = states.opened + states.acted
    expect(opens.days.reduce((sum, bar) => sum + bar.opened + bar.acted, 0)).toBe(opened)
    const users = (read: (variant: NonNullable<typeof test>['variants'][number]) => number) =>
      (test?.variants ?? []).reduce((sum, variant) => sum + read(variant), 0)
    // A phone may report before its delivery is stored: until then, it has no variant.
    const tested = { opened: users((variant) => variant.opened), handedOver: users((variant) => variant.handedOver) }
    expect(tested.opened).toBeLessThanOrEqual(opened)
    expect(tested.handedOver).toBeLessThanOrEqual(states.sent)
    expect(progress.settled + progress.waiting).toBe(count)
    const { lines, states: sums } = await describeCampaign(ctx, { trackId: 'spring' })
    expect(lines.data.map((line) => line.states)).toEqual([sums])
    const sumsOf = async () => (await listCampaignLines(ctx, {})).data[0]?.states
    const [first, line, last] = [await sumsOf(), (await listMessageLines(ctx, {})).data[0]?.states, await sumsOf()]
    for (const state of ['sent', 'shown', 'opened'] as const) {
      expect(line?.[state]).toBeGreaterThanOrEqual(first?.[state] ?? 0)
      expect(line?.[state]).toBeLessThanOrEqual(last?.[state] ?? 0)
    }
    seen.push(opened)
    return { ...message, tested }
  }
  while (!isOver) await look()
  await acting
  await until(look, ({ progress }) => progress.waiting === 0)
  const { states, tested } = await look()
  expect(states.opened).toBeGreaterThan(0)
  expect(tested).toEqual({ opened: states.opened, handedOver: states.sent })
  expect(new Set(seen).size).toBeGreaterThan(2)
})
