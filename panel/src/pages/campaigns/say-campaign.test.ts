import { deliveryStates, noneOf } from '@peyk/contract'
import { expect, it } from 'vitest'
import { en } from '../../texts/en.ts'
import { fa } from '../../texts/fa.ts'
import { createFormat } from '../../texts/format.ts'
import { sayCampaign } from './say-campaign.ts'

const say = (count: number, states: object, texts = en, language: 'en' | 'fa' = 'en') =>
  sayCampaign(
    { count, states: { ...noneOf(deliveryStates), ...states } },
    texts.campaigns.verdict,
    createFormat(language),
  )

it('counts deliveries: the sum of three messages is no number of devices', () => {
  const states = { sent: 498, delivered: 400, opened: 70, acted: 16 }
  expect(say(513, states)).toBe(
    '498 of 513 deliveries were sent; 80.3% of these were confirmed; 21.5% of those were opened',
  )
  expect(say(513, states, fa, 'fa')).not.toContain('دستگاه')
  expect(say(513, { sent: 498 })).toBe('498 of 513 deliveries were sent')
  expect(say(513, { queued: 513 })).toBe('None of its 513 deliveries has been sent')
})
