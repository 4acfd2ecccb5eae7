import { availableParallelism } from 'node:os'
import { expect, it } from 'vitest'
import { ConfigError, loadConfig } from './config.ts'
import { defaultDurations } from './durations.ts'

it('has the usual durations, and others only where tests give them', () => {
  expect(loadConfig({ PEYK_MODE: 'production' }).durations).toEqual(defaultDurations)
  // Ctrl-C of a developer waits for no proxy.
  expect(loadConfig({}).durations).toEqual({ ...defaultDurations, drainMs: 0 })
  const { durations } = loadConfig({ PEYK_MODE: 'production', PEYK_TEST_DURATIONS: '{"connectMs":1000}' })
  expect(durations).toEqual({ ...defaultDurations, connectMs: 1_000 })
})

it.each(['{', '5', 'null', '["x"]', '{"toString":5}', '{"connectMs":"5"}', '{"connectMs":0}'])(
  'refuses %s as durations, in plain words',
  (text) => {
    expect(() => loadConfig({ PEYK_TEST_DURATIONS: text })).toThrow(ConfigError)
  },
)

it('takes the address of the service without a path', () => {
  expect(loadConfig({}).publicUrl).toBeUndefined()
  expect(loadConfig({ PEYK_PUBLIC_URL: 'https://push.example.com/' }).publicUrl).toBe('https://push.example.com')
  for (const wrong of [
    'push.example.com',
    'ftp://push.example.com',
    'https://push.example.com/peyk',
    'https://u:p@x.example',
  ])
    expect(() => loadConfig({ PEYK_PUBLIC_URL: wrong })).toThrow(ConfigError)
})

it('runs a process for each core in production, at most 8, and one in development; they share the connections', () => {
  expect(loadConfig({})).toMatchObject({ processes: 1, poolSize: 12 })
  const { processes } = loadConfig({ PEYK_MODE: 'production' })
  expect(processes).toBe(Math.min(8, availableParallelism()))
  expect(loadConfig({ PEYK_PROCESSES: '4' })).toMatchObject({ processes: 4, poolSize: 32 })
  expect(loadConfig({ PEYK_PROCESSES: '4', PEYK_DATABASE_POOL: '20' }).poolSize).toBe(20)
  for (const wrong of ['0', '65', 'all']) expect(() => loadConfig({ PEYK_PROCESSES: wrong })).toThrow(ConfigError)
})

it('has all roles, or those that are named, in one order and once', () => {
  expect(loadConfig({}).roles).toEqual(['api', 'connection', 'worker', 'index'])
  const env = { PEYK_DATABASE_URL: 'postgresql://db/peyk' }
  expect(loadConfig({ ...env, PEYK_ROLES: 'worker, api,worker' }).roles).toEqual(['api', 'worker'])
  expect(loadConfig({ PEYK_ROLES: 'worker,index,connection,api' }).roles).toEqual([
    'api',
    'connection',
    'worker',
    'index',
  ])
  expect(() => loadConfig({ ...env, PEYK_ROLES: 'api,workers' })).toThrow(
    'PEYK_ROLES has "workers"; expected some of api, connection, worker, index',
  )
  expect(loadConfig({ ...env, PEYK_ROLES: 'index', PEYK_PROCESSES: '4' })).toMatchObject({ processes: 1 })
  expect(() => loadConfig({ PEYK_ROLES: 'api' })).toThrow('set PEYK_DATABASE_URL, too')
})
