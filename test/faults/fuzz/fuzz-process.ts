import { emptyTally, runKind, type Share } from './run-kind.ts'

/** One kind of request in a process of its own: `fork` it, send it its share, and hear of its tally every second. */
process.once('message', async (share: Share) => {
  const tally = emptyTally()
  const telling = setInterval(() => process.send?.({ tally, isOver: false }), 1_000)
  await runKind(share, tally)
  clearInterval(telling)
  process.send?.({ tally, isOver: true }, () => process.exit())
})
process.on('disconnect', () => process.exit())
