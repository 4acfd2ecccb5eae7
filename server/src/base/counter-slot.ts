import { randomInt } from 'node:crypto'

const slots = 8
const few = 8

/** For what is counted apart from the rest: counterSlot never answers it. */
export const slotApart = slots

/**
 * Which slot (shard) of a counter to add to, when so much is added at once. A counter that many writers add to has
 * several, so that they do not wait for one another; a few go to slot 0, so that few rows are made for them.
 */
export function counterSlot(added: number, { fewerThan = few } = {}): number {
  return added < fewerThan ? 0 : randomInt(1, slots)
}
