import { expect, it } from 'vitest'
import { checkOutbound, type OutboundRules } from './check-outbound.ts'
import { startNameServer } from './name-server.test-support.ts'

async function verdict(url: string, rules: Partial<OutboundRules> = {}): Promise<string> {
  const check = await checkOutbound(url, {
    localOrigins: [],
    timeoutMs: 20_000,
    nameServers: ['127.0.0.1:9'],
    ...rules,
  })
  return 'refused' in check ? `refused: ${check.refused}` : `${check.url.href} at ${check.address}`
}

it('gives the address to connect to, IPv4 before IPv6', async () => {
  const server = await startNameServer({
    'hooks.example.com': ['2606:4700::1', '93.184.216.34', '93.184.216.35'],
    'six.example.com': ['2606:4700::1'],
  })
  const rules = { nameServers: [server] }
  expect(await verdict('https://hooks.example.com/a?b=1', rules)).toBe(
    'https://hooks.example.com/a?b=1 at 93.184.216.34',
  )
  expect(await verdict('https://HOOKS.example.com:443/', rules)).toBe('https://hooks.example.com/ at 93.184.216.34')
  expect(await verdict('https://six.example.com/', rules)).toBe('https://six.example.com/ at 2606:4700::1')
  expect(await verdict('https://93.184.216.34/', rules)).toBe('https://93.184.216.34/ at 93.184.216.34')
  expect(await verdict('https://[2606:4700::1]/', rules)).toBe('https://[2606:4700::1]/ at 2606:4700::1')
})

it.each([
  ['', 'the URL cannot be read'],
  ['not a url', 'the URL cannot be read'],
  ['/path', 'the URL cannot be read'],
  ['http://example.com/', 'the URL must begin with https://'],
  ['ftp://example.com/', 'the URL must begin with https://'],
  ['file:///etc/passwd', 'the URL must begin with https://'],
  ['javascript:alert(1)', 'the URL must begin with https://'],
  ['https://user@example.com/', 'the URL carries a user name or password'],
  ['https://:secret@example.com/', 'the URL carries a user name or password'],
  ['https://example.com@127.0.0.1/', 'the URL carries a user name or password'],
  ['https://example.com:8443/', 'port 8443 is not allowed, only 443 is'],
  ['https://127.0.0.1/', 'the host 127.0.0.1 is not on the public internet'],
  ['https://2130706433/', 'the host 127.0.0.1 is not on the public internet'],
  ['https://0x7f.1/', 'the host 127.0.0.1 is not on the public internet'],
  ['https://0177.0.0.1/', 'the host 127.0.0.1 is not on the public internet'],
  ['https://１２７.0.0.1/', 'the host 127.0.0.1 is not on the public internet'],
  ['https://169.254.169.254/latest/meta-data', 'the host 169.254.169.254 is not on the public internet'],
  ['https://[::1]/', 'the host ::1 is not on the public internet'],
  ['https://[::ffff:10.0.0.1]/', 'the host ::ffff:a00:1 is not on the public internet'],
  ['https://[64:ff9b::7f00:1]/', 'the host 64:ff9b::7f00:1 is not on the public internet'],
])('refuses %s', async (url, reason) => {
  expect(await verdict(url)).toBe(`refused: ${reason}`)
})

it('refuses a name when any of its addresses is not public', async () => {
  const server = await startNameServer({
    'inside.example.com': ['10.1.2.3'],
    'mixed.example.com': ['93.184.216.34', '127.0.0.1'],
    'mixed6.example.com': ['93.184.216.34', 'fd00:ec2::254'],
  })
  for (const name of ['inside', 'mixed', 'mixed6']) {
    expect(await verdict(`https://${name}.example.com/`, { nameServers: [server] })).toBe(
      `refused: the host ${name}.example.com is not on the public internet`,
    )
  }
})

it('refuses a name that does not exist, and says whether that may change', async () => {
  const server = await startNameServer({ 'silent.example.com': undefined })
  const rules = { localOrigins: [], nameServers: [server], timeoutMs: 2_000 }
  expect(await checkOutbound('https://nobody.example.com/', rules)).toEqual({
    refused: 'the host nobody.example.com could not be resolved',
    isTemporary: false,
  })
  expect(await checkOutbound('https://silent.example.com/', rules)).toEqual({
    refused: 'the host silent.example.com could not be resolved',
    isTemporary: true,
  })
})

it('allows only the hosts on the list when there is one', async () => {
  const names = [
    'fcm.googleapis.com',
    'a.push.example.com',
    'push.example.com',
    'evilpush.example.com',
    'fcm.googleapis.com.evil.org',
  ]
  const server = await startNameServer(Object.fromEntries(names.map((name) => [name, ['93.184.216.34']])))
  const rules = { nameServers: [server], allowedHosts: ['fcm.googleapis.com', '*.Push.example.com'] }
  const isAllowed = async (host: string) => !(await verdict(`https://${host}/x`, rules)).startsWith('refused')
  expect(await isAllowed('fcm.googleapis.com')).toBe(true)
  expect(await isAllowed('FCM.googleapis.com')).toBe(true)
  expect(await isAllowed('a.push.example.com')).toBe(true)
  expect(await isAllowed('push.example.com')).toBe(false)
  expect(await isAllowed('evilpush.example.com')).toBe(false)
  expect(await isAllowed('fcm.googleapis.com.evil.org')).toBe(false)
  expect(await isAllowed('93.184.216.34')).toBe(false)
})

it('allows any port when told to', async () => {
  expect(await verdict('https://93.184.216.34:8443/', { isAnyPortAllowed: true })).toBe(
    'https://93.184.216.34:8443/ at 93.184.216.34',
  )
})

it('lets the origins of the simulator pass, and only exactly those', async () => {
  const rules = { localOrigins: ['http://127.0.0.1:4100', 'https://localhost:4101', 'http://[::1]:4102'] }
  expect(await verdict('http://127.0.0.1:4100/push/1', rules)).toBe('http://127.0.0.1:4100/push/1 at 127.0.0.1')
  expect(await verdict('https://localhost:4101/', rules)).toBe('https://localhost:4101/ at localhost')
  expect(await verdict('http://[::1]:4102/', rules)).toBe('http://[::1]:4102/ at ::1')
  expect(await verdict('http://127.0.0.1:4101/', rules)).toMatch(/^refused/)
  expect(await verdict('https://127.0.0.1:4100/', rules)).toMatch(/^refused/)
  expect(await verdict('http://127.0.0.1.evil.org:4100/', rules)).toMatch(/^refused/)
  expect(await verdict('http://me@127.0.0.1:4100/', rules)).toMatch(/^refused/)
})
