/** By transaction: the object that its statements are given to. */
const waiting = new WeakMap<object, (() => void)[]>()

/** Runs when the transaction is committed, and not when it is undone; must not throw. */
export function afterCommit(tx: object, work: () => void): void {
  const works = waiting.get(tx)
  if (works) works.push(work)
  else waiting.set(tx, [work])
}

/** Called by whoever has committed it. */
export function runAfterCommit(tx: object): void {
  for (const work of waiting.get(tx) ?? []) work()
}
