import { once } from 'node:events'
import { createServer } from 'node:net'
import { fastify } from 'fastify'
import { expect, it, onTestFinished } from 'vitest'
import { baseUrlAt, httpUrlAt, listen, mqttUrlAt } from './listen.ts'

it('names an address that this machine reaches', () => {
  expect(baseUrlAt('::', 8090)).toBe('http://localhost:8090')
  expect(baseUrlAt('0.0.0.0', 8090)).toBe('http://localhost:8090')
  expect(baseUrlAt('127.0.0.1', 1)).toBe('http://127.0.0.1:1')
  expect(baseUrlAt('::1', 1)).toBe('http://[::1]:1')
  expect(baseUrlAt('push.example.com', 80)).toBe('http://push.example.com:80')
})

it('says whether it speaks TLS', () => {
  const files = { certificate: 'a', key: 'b', variables: ['PEYK_TLS_CERT', 'PEYK_TLS_KEY'] as const }
  expect(httpUrlAt('http://localhost:1', { tls: undefined })).toBe('http://localhost:1')
  expect(httpUrlAt('http://localhost:1', { tls: files })).toBe('https://localhost:1')
  expect(mqttUrlAt('http://localhost:1', { mqttTls: undefined })).toBe('mqtt://localhost:1')
  expect(mqttUrlAt('http://localhost:1', { mqttTls: files })).toBe('mqtts://localhost:1')
})

function open() {
  const app = fastify()
  onTestFinished(() => app.close())
  return app
}

it('says which port it was given when it asked for any', async () => {
  const baseUrl = await listen(open(), { host: '127.0.0.1', port: 0 })
  expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d+$/)
  expect((await fetch(baseUrl)).status).toBe(404)
})

it('says which port is in use and how to choose another', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  onTestFinished(() => void other.close())
  const { port } = other.address() as { port: number }
  await expect(listen(open(), { host: '127.0.0.1', port })).rejects.toThrow(
    `Port ${port} on 127.0.0.1 is in use: end what uses it, or set PEYK_PORT to another one.`,
  )
})

it('says which address the machine does not have', async () => {
  await expect(listen(open(), { host: '192.0.2.1', port: 0 })).rejects.toThrow(
    'This machine has no address 192.0.2.1: set PEYK_HOST',
  )
  await expect(listen(open(), { host: 'no.such.host.invalid', port: 0 })).rejects.toThrow('set PEYK_HOST')
})
