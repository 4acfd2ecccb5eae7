import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { roles } from '#base/config.ts'
import { announce, welcome } from './announce.ts'

const baseUrl = 'http://localhost:8090'
const mqttUrl = 'mqtt://localhost:1884'
const simulatorUrl = 'http://127.0.0.1:8091'
const tokens = { accessToken: 'a'.repeat(40), clientKey: 'b'.repeat(40) }
const member = { email: 'demo@peyk.local', password: 'p'.repeat(20), linkKey: 'k'.repeat(43) }
const demo = { appId: 'demo', ...tokens, path: '/data/demo.json', simulatorUrl, member, devices: [] }

describe('the welcome on a terminal', () => {
  it('shows lines to paste for the demo app', () => {
    const text = welcome({ roles, baseUrl, mqttUrl, demo, hasApps: true, hasMembers: true })
    expect(text).toContain(`${baseUrl}/panel/enter#${member.linkKey}`)
    expect(text).toContain(member.email)
    expect(text).not.toContain(member.password)
    expect(text).toContain(`${baseUrl}/docs`)
    expect(text).toContain(`${baseUrl}/try`)
    expect(text).toContain('/data/demo.json')
    expect(text).toContain(`${mqttUrl} and ws://localhost:8090/mqtt`)
    expect(text).toContain(`curl '${baseUrl}/api/push/toUsers?access_token=${demo.accessToken}'`)
    expect(text).toContain(`curl '${baseUrl}/api/installations/track' -H 'X-Access-Token: ${demo.accessToken}'`)
    expect(text).toContain(`curl ${simulatorUrl}/phones`)
    expect(text).not.toContain('no apps yet')
  })

  it('shows how to make an app when there is none', () => {
    const text = welcome({ roles, baseUrl, mqttUrl, demo: undefined, hasApps: false, hasMembers: false })
    expect(text).toContain('npx peyk app create')
    expect(text).not.toContain('curl')
  })

  it('shows how to let somebody in when nobody is', () => {
    const text = welcome({ roles, baseUrl, mqttUrl, demo: undefined, hasApps: true, hasMembers: false })
    expect(text).toContain(`${baseUrl}/panel/`)
    expect(text).toContain('npx peyk member create')
  })
})

describe('a log', () => {
  const logged = (service: Parameters<typeof announce>[0]) => {
    const lines: string[] = []
    const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
    announce(service, { log, isTerminal: false })
    return lines
  }

  it('is told where the panel is, and a link that signs in to the demo once, but no token and no password', () => {
    const lines = logged({ roles, baseUrl, mqttUrl, demo, hasApps: true, hasMembers: true })
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { baseUrl, panel: `${baseUrl}/panel/`, demoFile: demo.path },
      { signIn: `${baseUrl}/panel/enter#${member.linkKey}`, msg: expect.stringContaining(member.email) },
    ])
    for (const secret of [member.password, tokens.accessToken, tokens.clientKey])
      expect(lines.join()).not.toContain(secret)
  })

  it('has nothing that lets anybody in where there is no demo', () => {
    const lines = logged({ roles, baseUrl, mqttUrl, demo: undefined, hasApps: true, hasMembers: true })
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ panel: `${baseUrl}/panel/` }])
    expect(lines.join()).not.toContain('enter')
  })
})
