import type { Store } from '@peyk/server/base/store/store.ts'
import sql from 'sql-template-tag'
import { Dice } from './random.ts'

const bodyCount = 20_000
const eventNames = [
  'app_open',
  'view_product',
  'view_product',
  'view_product',
  'add_to_cart',
  'search',
  'share',
  'sign_up',
]

/** Those who have the app, and those who removed it: a back end still speaks of one of them now and then. */
export interface Audience {
  present: { userId: string; installationId: string }[]
  gone: { userId: string }[]
}

const oneInGone = 50

export async function listAudience(store: Store, appId: number): Promise<Audience> {
  const rows = await store.query<{ user_id: string; id: string | null }>(sql`
    select u.user_id, (array_agg(i.id order by i.installation_no) filter (where i.uninstalled_at is null))[1] as id
    from users u join installations i using (app_id, user_no)
    where u.app_id = ${appId} group by u.user_no, u.user_id order by u.user_no`)
  return {
    present: rows.flatMap((row) => (row.id === null ? [] : [{ userId: row.user_id, installationId: row.id }])),
    gone: rows.flatMap((row) => (row.id === null ? [{ userId: row.user_id }] : [])),
  }
}

function pickUser(dice: Dice, audience: Audience): string {
  return dice.of(dice.below(oneInGone) === 0 ? audience.gone : audience.present).userId
}

/** Events as a shop's back end sends them: three of four by user id, the others by installation id. */
export function makeEvents(audience: Audience): object[] {
  const dice = new Dice(7)
  return Array.from({ length: bodyCount }, () => ({
    ...(dice.below(4) === 0
      ? { installationId: dice.of(audience.present).installationId }
      : { userId: pickUser(dice, audience) }),
    eventName: dice.of(eventNames),
    eventData: { productId: `p-${dice.below(5_000)}`, price: dice.below(100_000) / 100, isMember: dice.below(2) === 0 },
  }))
}

/** One user each, as an order's back end sends them. */
export function makeMessages(audience: Audience): object[] {
  const dice = new Dice(11)
  return Array.from({ length: bodyCount }, () => {
    const order = dice.below(1_000_000)
    return {
      user: pickUser(dice, audience),
      content: `Your order ${order} is on its way.`,
      data: { orderId: String(order), kind: 'order' },
      notification: {
        title: 'On its way',
        body: `Order ${order} left our store`,
        clickUrl: `https://shop.example/orders/${order}`,
      },
    }
  })
}

/** As an app's first start sends them: of users who have none yet. */
export function makeInstallations(): object[] {
  const dice = new Dice(13)
  return Array.from({ length: bodyCount }, (_, index) => ({
    userId: `new-${index}`,
    deviceType: dice.below(4) === 0 ? 'ios' : 'android',
    clientVersion: `2.${dice.below(20)}.0`,
    osVersion: String(10 + dice.below(6)),
    language: 'fa',
    timeZone: 'Asia/Tehran',
  }))
}
