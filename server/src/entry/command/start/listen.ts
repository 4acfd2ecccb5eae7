import type { Config } from '#base/config.ts'
import { CommandError } from '../command.ts'

interface Listener {
  listen(at: { host: string; port: number }): Promise<string>
  server: { address(): { port: number } | string | null }
}

/** Answers the address under which people reach the service from this machine. */
export async function listen(
  app: Listener,
  { host, port }: Pick<Config, 'host' | 'port'>,
  variable = 'PEYK_PORT',
): Promise<string> {
  try {
    await app.listen({ host, port }).catch((error) => {
      // "All addresses" on a machine without IPv6.
      if (host !== '::' || !['EAFNOSUPPORT', 'EADDRNOTAVAIL'].includes(error.code)) throw error
      return app.listen({ host: '0.0.0.0', port })
    })
  } catch (error) {
    const code = (error as { code?: string }).code ?? String(error)
    throw new CommandError(describe(code, host, port, variable), { cause: error })
  }
  const address = app.server.address()
  return baseUrlAt(host, typeof address === 'object' && address ? address.port : port)
}

export function baseUrlAt(host: string, port: number): string {
  const name = host === '::' || host === '0.0.0.0' ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}

export function httpUrlAt(baseUrl: string, { tls }: Pick<Config, 'tls'>): string {
  return tls ? baseUrl.replace(/^http:/, 'https:') : baseUrl
}

export function mqttUrlAt(baseUrl: string, { mqttTls }: Pick<Config, 'mqttTls'>): string {
  return baseUrl.replace(/^http/, mqttTls ? 'mqtts' : 'mqtt')
}

function describe(code: string, host: string, port: number, variable: string): string {
  if (code === 'EADDRINUSE')
    return `Port ${port} on ${host} is in use: end what uses it, or set ${variable} to another one.`
  if (code === 'EACCES')
    return `Port ${port} on ${host} may not be used by this user: set ${variable} to one above 1023.`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return `This machine has no address ${host}: set PEYK_HOST to one it has, such as localhost.`
  }
  return `Cannot listen on port ${port} of ${host} (${code}): see ${variable} and PEYK_HOST.`
}
