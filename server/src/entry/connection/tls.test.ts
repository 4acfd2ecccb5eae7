import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCertificate } from '@peyk/simulator/providers/certificate.ts'
import {
  clientIdOf,
  connectClient,
  createConnectionServerForTest,
  openConnectionServer,
} from '@peyk/test/connection.ts'
import { afterAll, expect, it } from 'vitest'
import { ConfigError, loadConfig } from '#base/config.ts'

const folder = await mkdtemp(join(tmpdir(), 'peyk-tls-'))
afterAll(() => rm(folder, { recursive: true, force: true }))
const { key, certificate } = await createCertificate(new Date())
const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
await writeFile(certFile, certificate)
await writeFile(keyFile, key)

const service = await createConnectionServerForTest({ PEYK_MQTT_TLS_CERT: certFile, PEYK_MQTT_TLS_KEY: keyFile })

it('speaks TLS with the certificate that it is given, and nothing else', async () => {
  const clientId = clientIdOf(service.ctx, await service.register())
  const client = await connectClient(`mqtts://localhost:${service.port}`, {
    clientId,
    key: service.clientKey,
    ca: certificate,
    host: '127.0.0.1',
    servername: 'localhost',
  })
  expect(client.connected).toBe(true)
  await expect(connectClient(service.tcpUrl, { clientId, key: service.clientKey })).rejects.toThrow()
  await expect(
    connectClient(`mqtts://localhost:${service.port}`, { clientId, key: service.clientKey }),
  ).rejects.toThrow(/self-signed|certificate/)
})

it('says what is wrong with its files', async () => {
  expect(() => loadConfig({ PEYK_MQTT_TLS_CERT: certFile })).toThrow(ConfigError)
  const missing = { PEYK_MQTT_TLS_CERT: join(folder, 'none.pem'), PEYK_MQTT_TLS_KEY: keyFile }
  await expect(openConnectionServer(service.store, missing)).rejects.toThrow(/PEYK_MQTT_TLS_CERT .*none\.pem/)
  const wrong = { PEYK_MQTT_TLS_CERT: keyFile, PEYK_MQTT_TLS_KEY: keyFile }
  await expect(openConnectionServer(service.store, wrong)).rejects.toThrow(ConfigError)
})
