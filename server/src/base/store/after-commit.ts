import type { Transaction } from './store.ts'

const waiting = new WeakMap<Transaction, (() => void)[]>()

/** Runs when the transaction is committed, and not when it is undone; must not throw. */
export function afterCommit(tx: Transaction, work: () => void): void {
  const works = waiting.get(tx)
  if (works) works.push(work)
  else waiting.set(tx, [work])
}

/** Called by whoever has committed it. */
export function runAfterCommit(tx: Transaction): void {
  for (const work of waiting.get(tx) ?? []) work()
}
