import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, createServer } from 'node:tls'
import { createCertificate } from '@peyk/simulator/providers/certificate.ts'
import { poll } from '@peyk/test/runner/poll.ts'
import { pino } from 'pino'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { ConfigError, loadConfig, type TlsFiles } from './config.ts'
import { followTls, readTls } from './tls.ts'

const folder = await mkdtemp(join(tmpdir(), 'peyk-tls-files-'))
afterAll(() => rm(folder, { recursive: true, force: true }))
const files: TlsFiles = {
  certificate: join(folder, 'cert.pem'),
  key: join(folder, 'key.pem'),
  variables: ['PEYK_TLS_CERT', 'PEYK_TLS_KEY'],
}
const [before, after] = [await createCertificate(new Date()), await createCertificate(new Date())]
const serialOf = (pem: string) => new X509Certificate(pem).serialNumber
const write = async (certificate: string, key: string) => {
  await writeFile(files.certificate, certificate)
  await writeFile(files.key, key)
}

describe('the files of a certificate', () => {
  it('belong together', async () => {
    expect(loadConfig({}).tls).toBeUndefined()
    expect(() => loadConfig({ PEYK_TLS_KEY: 'key.pem' })).toThrow('PEYK_TLS_CERT and PEYK_TLS_KEY belong together')
    expect(loadConfig({ PEYK_TLS_CERT: files.certificate, PEYK_TLS_KEY: files.key }).tls).toEqual(files)
    await write(before.certificate, after.key)
    await expect(readTls(files)).rejects.toThrow(ConfigError)
    await expect(readTls(files)).rejects.toThrow(/PEYK_TLS_CERT and PEYK_TLS_KEY cannot be used: .*mismatch/)
    await expect(readTls({ ...files, key: join(folder, 'none.pem') })).rejects.toThrow(/none\.pem/)
  })

  it('are followed: who comes after they were renewed is shown the new certificate, halves are waited for', async () => {
    await write(before.certificate, before.key)
    const first = await readTls(files)
    const server = createServer(first).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const complaints: string[] = []
    const log = pino({ level: 'warn' }, { write: (line: string) => void complaints.push(JSON.parse(line).msg) })
    const follow = followTls(files, server, { first, log, everyMs: 20 })
    follow.start()
    onTestFinished(async () => {
      await follow.stop()
      server.close()
    })
    const shown = async () => {
      const socket = connect({ port: (server.address() as AddressInfo).port, rejectUnauthorized: false })
      await once(socket, 'secureConnect')
      const { serialNumber } = socket.getPeerCertificate()
      socket.destroy()
      return serialNumber
    }
    expect(await shown()).toBe(serialOf(before.certificate))
    await writeFile(files.certificate, after.certificate)
    await poll(() => complaints.at(-1)).toContain('mismatch')
    expect(await shown()).toBe(serialOf(before.certificate))
    await writeFile(files.key, after.key)
    await poll(shown).toBe(serialOf(after.certificate))
    await rm(files.key)
    await poll(() => complaints.at(-1)).toContain('ENOENT')
    expect(await shown()).toBe(serialOf(after.certificate))
  })
})
