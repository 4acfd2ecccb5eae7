import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listSettings, roles } from '@peyk/server/base/config.ts'
import { expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const { version } = JSON.parse(read('package.json')) as { version: string }
const chart = 'deploy/helm/peyk'
const templates = globSync(`${chart}/templates/*`, { cwd: root })

const files = [
  'Dockerfile',
  ...globSync(['compose*.yaml', 'deploy/**/*.{yaml,yml,tpl,conf,service,js}'], { cwd: root }),
]

it('names only settings that exist', () => {
  const known = listSettings()
  const unknown = files.flatMap((file) =>
    (read(file).match(/\bPEYK_[A-Z_]+/g) ?? []).filter((name) => !known.has(name)).map((name) => `${file}: ${name}`),
  )
  expect(files.length).toBeGreaterThan(10)
  expect(unknown).toEqual([])
})

it.each([...globSync('compose*.yaml', { cwd: root }), `${chart}/values.yaml`, `${chart}/Chart.yaml`])(
  '%s is sound YAML',
  (file) => {
    const [document] = parseAllDocuments(read(file), { merge: true })
    expect(document?.errors).toEqual([])
    expect(document?.toJS()).toBeTypeOf('object')
  },
)

it('has a chart of this version, whose templates close what they open', () => {
  expect(parse(read(`${chart}/Chart.yaml`))).toMatchObject({ version, appVersion: version })
  for (const file of templates) {
    const words = [...read(file).matchAll(/\{\{-?\s*(if|with|range|define|end)\b/g)].map(([, word]) => word)
    const ends = words.filter((word) => word === 'end').length
    expect([file, words.length - ends]).toEqual([file, ends])
  }
})

it('has a value for all that the templates ask for, and asks for every value', () => {
  const values = parse(read(`${chart}/values.yaml`)) as Record<string, unknown>
  const text = templates.map(read).join('\n')
  const asked = new Set([...text.matchAll(/\.Values((?:\.[a-zA-Z]+)+)/g)].map(([, path]) => (path as string).slice(1)))
  const find = (path: string) =>
    path.split('.').reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], values)
  expect([...asked].filter((path) => find(path) === undefined)).toEqual([])
  const names = new Set([...asked].map((path) => path.split('.')[0]))
  expect(Object.keys(values).filter((name) => !names.has(name))).toEqual([])
})

it('keeps the image without root, and lets stopping take its time', () => {
  expect(read('Dockerfile')).toMatch(/^USER peyk$/m)
  const seconds = (text: string, form: RegExp) => Number(form.exec(text)?.[1])
  expect(seconds(read('compose.yaml'), /stop_grace_period: (\d+)s/)).toBeGreaterThanOrEqual(60)
  expect(seconds(templates.map(read).join(), /terminationGracePeriodSeconds: (\d+)/)).toBeGreaterThanOrEqual(60)
  expect(seconds(read('deploy/systemd/peyk.service'), /TimeoutStopSec=(\d+)s/)).toBeGreaterThanOrEqual(60)
})

it('installs the packages of every workspace in a layer of the image that code does not change', () => {
  const { workspaces } = JSON.parse(read('package.json')) as { workspaces: string[] }
  const before = read('Dockerfile').split('FROM packages AS build')[0] as string
  for (const folder of workspaces) expect(before).toContain(`COPY ${folder}/package.json ${folder}/\n`)
})

it('lets the service ask for the addresses of its machine, and the alerts find the pods', () => {
  expect(read('deploy/systemd/peyk.service')).toMatch(/^RestrictAddressFamilies=.*\bAF_NETLINK\b/m)
  expect(read(`${chart}/templates/service-monitor.yaml`)).toContain('jobLabel: app.kubernetes.io/name')
})

it('gives every role to some process of the cluster, and sends live connections to those that hold them', () => {
  const { services } = parse(read('compose.cluster.yaml'), { merge: true }) as {
    services: Record<string, { environment?: Record<string, string> }>
  }
  const given = Object.entries(services).flatMap(([name, { environment }]) =>
    environment?.PEYK_ROLES === undefined
      ? []
      : [{ name, role: environment.PEYK_ROLES, nats: environment.PEYK_NATS_URL }],
  )
  for (const role of roles) expect(given.filter((each) => each.role === role)).toHaveLength(2)
  expect(given.every(({ name, role, nats }) => name.startsWith(role) && nats?.startsWith('nats://'))).toBe(true)
  const upstreams = [...read('deploy/container/nginx.conf').matchAll(/server (\w+)-[12]:8090/g)].map(([, role]) => role)
  expect(upstreams).toEqual(['api', 'api', 'connection', 'connection'])
  expect(read('deploy/container/nginx.conf')).toMatch(/location \/mqtt \{\s+proxy_pass http:\/\/connection;/)

  const values = parse(read(`${chart}/values.yaml`)) as { roles: Record<string, unknown> }
  expect(Object.keys(values.roles)).toEqual(['divided', ...roles])
  const listed = /list (("\w+" ?)+)\) \(list ""\)/.exec(read(`${chart}/templates/_names.tpl`))?.[1]
  expect(listed?.split(' ').map((word) => word.replaceAll('"', ''))).toEqual([...roles])
})
