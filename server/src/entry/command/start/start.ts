import { loadConfig } from '#base/config.ts'
import type { Command } from '../command.ts'

export const command: Command = {
  options: {},
  notes: `Settings are environment variables:
  PEYK_MODE                development (demo app, simulator, each request logged) or production (default: development)
  PEYK_PROCESSES           processes that serve the ports, beside one that supervises them (default: the number of cores, at
                           most 8; in development 1, which does everything)
  PEYK_ROLES               what they do: some of api, connection, worker, index, with commas (default: all)
  PEYK_PORT                port of the HTTP API, 0 for a free one (default: 8090)
  PEYK_TLS_CERT            file of a certificate (PEM), with PEYK_TLS_KEY: the port above speaks HTTPS only (default: none)
  PEYK_MQTT_PORT           port of the live connection (MQTT over TCP), 0 for a free one (default: 1884)
  PEYK_MQTT_TLS_CERT       file of a certificate (PEM), with PEYK_MQTT_TLS_KEY: that port speaks TLS (default: none)
  PEYK_HOST                address to listen on (default: localhost, in production all)
  PEYK_DATA                data folder (default: ./.peyk)
  PEYK_DATABASE_URL        a PostgreSQL server, 15 or newer, to use instead of the embedded one (default: none); several hosts with commas
  PEYK_DATABASE_READ_URL   a replica of it, asked for the panel's statistics, lists and exports (default: none)
  PEYK_DATABASE_POOL       maximum number of connections to PostgreSQL, of all processes (default: 12, or 8 for each)
  PEYK_NATS_URL            servers of NATS by which processes tell each other things, such as nats://user:password@one:4222,two:4222
                           (default: none, PostgreSQL carries it)
  PEYK_SEGMENT_INDEX_MB    memory in MB to count segments of large apps by, 0 for none (default: 1024)
  PEYK_BASE_HOST           host under which apps are labels, as in <app>.push.example.com (default: none)
  PEYK_PUBLIC_URL          address under which phones and browsers reach the service (default: where a request came to)
  PEYK_TRUST_PROXY         addresses of proxies whose X-Forwarded-* headers count, comma-separated (default: none)
  PEYK_METRICS_TOKEN       bearer token for /metrics (default: none, open to this machine only)
  PEYK_LOG_LEVEL           fatal, error, warn, info, debug, trace or silent (default: info)
  PEYK_SECRET_KEY          32 bytes as hex or base64 that encrypt credentials; "new,old" to change it (default: secret.key
                           in the data folder)
  PEYK_PUSH_RATE           pushes that one app may send to one provider in a second (default: 10000)
  PEYK_WEBPUSH_HOSTS       hosts of push services besides the known ones, comma-separated (default: none)
  PEYK_SIMULATOR_PORT      in development: port of the simulator's API, 0 for the last or a free one (default: 0)
  PEYK_SIMULATOR_URL       in development: a running simulator, see peyk simulator (default: one of its own)
  PEYK_CROWD_SIZE          in development: simulated users of the demo app, 0 for none (default: 300 at first)
  PEYK_RATE_TOKEN          requests that one access token may send in 10 seconds (default: 200000)
  PEYK_RATE_ADDRESS        requests that one address may send in 10 seconds (default: 200000)
  PEYK_RATE_FAILED_TOKENS  unknown tokens that one address may try in 10 seconds (default: 200)
  PEYK_RATE_CLIENT         requests that one client may send over its live connection in 10 seconds (default: 500)
  PEYK_RATE_REGISTRATIONS  new installations that one address may register with one client key in 10 minutes (default: 1000)
  PEYK_CONNECTIONS_ADDRESS live connections that one address may hold (default: 20000)
  PEYK_CONNECTIONS_APP     live connections that one app may hold (default: 1000000)
  PEYK_BACKUP_EVERY        hours between two backups, 0 for none; see peyk backup (default: 0)
  PEYK_BACKUP_KEEP         how many of these backups are kept (default: 7)
  PEYK_BACKUP_FOLDER       folder that they are written to (default: backups in the data folder)
  OTEL_EXPORTER_OTLP_ENDPOINT  a collector of OpenTelemetry that traces are sent to, such as http://localhost:4318, with the
                           other variables of OpenTelemetry (default: none)

SIGTERM or Ctrl-C: /ready fails at once; in production the service accepts requests for another 10 seconds, so that proxies
notice; then it finishes the requests under way and stops. A second signal ends it at once.`,
  examples: [
    'peyk start',
    'PEYK_PORT=9000 peyk start',
    'PEYK_MODE=production PEYK_DATABASE_URL=postgresql://peyk:secret@db:5432/peyk peyk start',
  ],

  async run() {
    const config = loadConfig()
    const { serve } = await import('./serve.ts')
    return serve(config)
  },
}
