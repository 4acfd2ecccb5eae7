import { Counter, Gauge, type Registry } from 'prom-client'
import type { Connections } from './connections.ts'

export type ConnectionMetrics = ReturnType<typeof createMetrics>

export function createMetrics(registry: Registry | undefined, connections: Connections) {
  const registers = registry ? [registry] : []
  const open = new Gauge({
    name: 'peyk_connections',
    help: 'Live connections that this process holds, by how they came.',
    labelNames: ['line'],
    registers,
    collect() {
      const counts = { tcp: 0, websocket: 0 }
      for (const { transport } of connections.all) counts[transport.kind]++
      for (const [line, count] of Object.entries(counts)) this.set({ line }, count)
    },
  })
  return {
    open,
    connects: new Counter({
      name: 'peyk_connection_connects_total',
      help: 'CONNECTs, by what was answered.',
      labelNames: ['result'],
      registers,
    }),
    closings: new Counter({
      name: 'peyk_connection_closings_total',
      help: 'Connections that ended, by reason.',
      labelNames: ['reason'],
      registers,
    }),
    events: new Counter({
      name: 'peyk_connection_events_total',
      help: 'Events of clients for each subscriber of this process: sent, or dropped because it does not read as fast.',
      labelNames: ['result'],
      registers,
    }),
    sent: new Counter({
      name: 'peyk_connection_messages_sent_total',
      help: 'Messages written to clients.',
      registers,
    }),
    acknowledged: new Counter({
      name: 'peyk_connection_messages_acknowledged_total',
      help: 'Messages that clients acknowledged.',
      registers,
    }),
  }
}
