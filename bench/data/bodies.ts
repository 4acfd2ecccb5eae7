import sql from 'sql-template-tag'
import type { Store } from '../../server/src/base/store/store.ts'
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

interface EventBody {
  userId?: string
  installationId?: string
  eventName: string
  eventData: Record<string, string | number | boolean>
}

/** Events as a shop's back end sends them: three of four by user id, the others by installation id. */
export async function makeEvents(store: Store, appId: number, users: number, count = bodyCount): Promise<EventBody[]> {
  const rows = await store.query<{ id: string }>(sql`
    select id from installations where app_id = ${appId} and uninstalled_at is null order by installation_no limit 10000`)
  const dice = new Dice(7)
  return Array.from({ length: count }, () => ({
    ...(dice.below(4) === 0 ? { installationId: dice.of(rows).id } : { userId: `user-${1 + dice.below(users)}` }),
    eventName: dice.of(eventNames),
    eventData: { productId: `p-${dice.below(5_000)}`, price: dice.below(100_000) / 100, isMember: dice.below(2) === 0 },
  }))
}

/** One user each, as an order's back end sends them. */
export function makeMessages(users: number, count = bodyCount): object[] {
  const dice = new Dice(11)
  return Array.from({ length: count }, () => {
    const order = dice.below(1_000_000)
    return {
      user: `user-${1 + dice.below(users)}`,
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
