const mark = Symbol.for('peyk ends with its runner')
const worker = process as typeof process & { [mark]?: boolean }

/** Some tests take signals into their own hands. So a worker whose runner was killed hears of it by their channel. */
if (!worker[mark]) {
  worker[mark] = true
  worker.once('disconnect', () => process.exit(1))
}
