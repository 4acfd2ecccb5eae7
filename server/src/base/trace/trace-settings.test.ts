import { describe, expect, it } from 'vitest'
import { ConfigError, inspectConfig, loadConfig } from '../config.ts'

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }
const read = (env: Record<string, string>) => loadConfig({ ...endpoint, ...env }).traces

describe('traces', () => {
  it.each([
    {},
    { OTEL_SERVICE_NAME: 'push', OTEL_TRACES_SAMPLER: 'xray' },
    { ...endpoint, OTEL_SDK_DISABLED: 'true' },
    { ...endpoint, OTEL_TRACES_EXPORTER: 'none', OTEL_TRACES_SAMPLER: 'xray' },
  ])('are off with %j', (env) => {
    expect(loadConfig(env).traces).toBeUndefined()
  })

  it('go where the variables of OpenTelemetry say', () => {
    expect(read({})).toEqual({
      url: 'http://collector:4318/v1/traces',
      headers: {},
      timeoutMs: 10_000,
      delayMs: 5_000,
      maxWaiting: 8_192,
      sampler: { ratio: 1, isParentBased: true },
      resource: { 'service.name': 'peyk' },
    })
    expect(read({ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://x.example/otlp/' })?.url).toBe(
      'https://x.example/otlp/v1/traces',
    )
    expect(read({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://x.example/own' })?.url).toBe('https://x.example/own')
  })

  it('say of themselves what is given', () => {
    const settings = read({
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20abc%3D%3D, x-team = push',
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x-team=traces',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=staging,service.name=other',
      OTEL_SERVICE_NAME: 'push',
    })
    expect(settings?.headers).toEqual({ authorization: 'Basic abc==', 'x-team': 'traces' })
    expect(settings?.resource).toEqual({ 'deployment.environment.name': 'staging', 'service.name': 'push' })
  })

  it.each([
    ['always_on', 1, false],
    ['always_off', 0, false],
    ['traceidratio', 0.25, false],
    ['parentbased_always_on', 1, true],
    ['parentbased_always_off', 0, true],
    ['parentbased_traceidratio', 0.25, true],
  ])('are sampled by %s', (name, ratio, isParentBased) => {
    const { sampler } = read({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: '0.25' }) ?? {}
    expect(sampler).toEqual({ ratio, isParentBased })
  })

  it.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://user:hunter2@collector:4318'],
    ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'ftp://collector'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'hunter2'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a=hunter2%0d%0ab'],
    ['OTEL_RESOURCE_ATTRIBUTES', 'a=%zz'],
    ['OTEL_TRACES_SAMPLER', 'xray'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
    ['OTEL_TRACES_EXPORTER', 'zipkin'],
    ['OTEL_SDK_DISABLED', 'yes'],
    ['OTEL_BSP_SCHEDULE_DELAY', '0'],
  ])('are refused at the start when %s is %s, without repeating a secret', (name, value) => {
    const refused = () => read({ [name]: value })
    expect(refused).toThrow(ConfigError)
    expect(refused).toThrow(name)
    expect(refused).not.toThrow('hunter2')
    expect(inspectConfig({ ...endpoint, [name]: value }).faults).toMatchObject([
      { variables: expect.arrayContaining([name]) },
    ])
  })
})
