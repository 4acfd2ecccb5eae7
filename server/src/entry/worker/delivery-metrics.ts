import { Counter, Gauge, type Registry } from 'prom-client'
import type { Store } from '#base/store/store.ts'
import type { DispatcherFigures } from '#features/deliveries/dispatch/dispatcher.ts'
import { readOverdue } from '#features/deliveries/read/read-overdue.ts'

/**
 * Delivery metrics. The age of the oldest work comes from the database, in every role, because it matters most when
 * there is no worker. The rest are figures of this process.
 */
export function addDeliveryMetrics(
  registry: Registry,
  store: Store,
  worker: { readonly deliveryFigures: DispatcherFigures | undefined },
): void {
  const registers = [registry]
  new Gauge({
    name: 'peyk_delivery_overdue_seconds',
    help: 'How long the oldest batch has been due without being taken, by lane, in the whole service.',
    labelNames: ['lane'],
    registers,
    aggregator: 'first',
    async collect() {
      // Keep the last known value while the database is unavailable.
      for (const { lane, seconds } of await readOverdue({ store }).catch(() => [])) this.set({ lane }, seconds)
    },
  })
  if (!worker.deliveryFigures) return
  const figures = () => worker.deliveryFigures as DispatcherFigures
  new Counter({
    name: 'peyk_delivery_outcomes_total',
    help: 'What providers answered to pushes of this process.',
    labelNames: ['provider', 'outcome'],
    registers,
    collect() {
      this.reset()
      for (const [provider, kinds] of figures().outcomes)
        for (const [outcome, count] of kinds) this.inc({ provider, outcome }, count)
    },
  })
  new Counter({
    name: 'peyk_delivery_leases_lost_total',
    help: 'Batches that this process lost: another took them over, or their results could not be stored.',
    registers,
    collect() {
      this.reset()
      this.inc(figures().lostLeases)
    },
  })
  new Gauge({
    name: 'peyk_delivery_batches_held',
    help: 'Batches that this process has leased.',
    registers,
    collect() {
      this.set(figures().heldBatches)
    },
  })
  new Gauge({
    name: 'peyk_delivery_results_waiting',
    help: 'Installations whose result waits to be committed by this process.',
    registers,
    collect() {
      this.set(figures().unstoredInstallations)
    },
  })
  new Gauge({
    name: 'peyk_delivery_in_flight',
    help: 'Pushes of this process that wait for the answer of a provider.',
    labelNames: ['provider'],
    registers,
    collect() {
      this.reset()
      for (const { provider, inFlight } of figures().senders) this.inc({ provider }, inFlight)
    },
  })
  new Gauge({
    name: 'peyk_delivery_senders',
    help: 'Apps that this process sends for, by provider and state: open, blocked (its breaker), half-open, paused.',
    labelNames: ['provider', 'state'],
    registers,
    collect() {
      this.reset()
      for (const { provider, state } of figures().senders) this.inc({ provider, state })
    },
  })
}
