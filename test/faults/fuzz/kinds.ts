import type { Chance } from './chance.ts'
import { makeCsvUpload } from './csv-uploads.ts'
import { describeRequest, type MakeRequest } from './fuzzed-request.ts'
import { makeHttpRequest } from './http-requests.ts'
import { judgeAnswer } from './judge-answer.ts'
import { makeMqttScript } from './mqtt-scripts.ts'
import { makeRawHttp } from './raw-http.ts'
import { makeSegmentRequest } from './segment-trees.ts'
import { sendHttp } from './send-http.ts'
import { sendMqtt } from './send-mqtt.ts'
import { sendRaw } from './send-raw.ts'
import { makeTemplateRequest } from './templates.ts'
import type { World } from './world.ts'

export interface Fared {
  /** A status of HTTP with its code, or what became of a connection. */
  outcome: string
  /** How many requests that was. */
  count: number
  /** What is wrong. */
  fault?: string | undefined
  /** Written only when it is asked for. */
  describe(): string
}

/** Makes one request, sends it and looks at what comes back. */
export type Kind = (chance: Chance, world: World, number: number) => Promise<Fared>

export type KindName = 'http' | 'raw' | 'csv' | 'segments' | 'templates' | 'mqtt'

export const kinds: Record<KindName, Kind> = {
  /** Every endpoint of the API, of the client library and of the panel. */
  http: overHttp(makeHttpRequest),
  /** The same as bytes that are spoilt. */
  raw: async (chance, world, number) => {
    const writes = makeRawHttp(chance, world, number)
    const describe = () => describeBytes(writes)
    const answer = await sendRaw(Number(new URL(world.baseUrl).port), writes)
    if (!answer) return { outcome: 'closed', count: 1, describe }
    // Errors of HEAD have no body; what follows may be the answer to the next request.
    const isHead = /^[\r\n]*HEAD /.test(Buffer.concat(writes).toString('latin1'))
    const fault = judgeAnswer(isHead ? 'HEAD' : 'GET', answer)
    return { outcome: nameOf(answer), count: 1, fault: describeFault(fault, answer), describe }
  },
  csv: overHttp(makeCsvUpload),
  segments: overHttp(makeSegmentRequest),
  templates: overHttp(makeTemplateRequest),
  /** Packets of the own connection, over TCP and WebSocket. */
  mqtt: async (chance, world) => {
    const script = makeMqttScript(chance, world)
    const ports = { http: Number(new URL(world.baseUrl).port), mqtt: world.mqttPort }
    const outcome = await sendMqtt(ports, script)
    const describe = () => `${script.isWebSocket ? 'WebSocket' : 'TCP'} ${describeBytes(script.writes)}`
    return { outcome, count: script.packets, describe }
  },
}

function overHttp(make: MakeRequest): Kind {
  return async (chance, world, number) => {
    const request = make(chance, world, number)
    const describe = () => describeRequest(request)
    try {
      const answer = await sendHttp(world.baseUrl, request)
      if (!answer) return { outcome: 'cut off', count: 1, describe }
      const fault = describeFault(judgeAnswer(request.method, answer), answer)
      return { outcome: nameOf(answer), count: 1, fault, describe }
    } catch (error) {
      return { outcome: 'none', count: 1, fault: String(error), describe }
    }
  }
}

function nameOf({ status, text }: { status: number; text: string }): string {
  return status < 400 ? String(status) : `${status} ${/"code":"([a-z-]+)"/.exec(text)?.[1] ?? ''}`.trim()
}

function describeFault(fault: string | undefined, answer: { status: number; text: string }): string | undefined {
  return fault && `${fault}: ${answer.status} ${answer.text.slice(0, 500)}`
}

function describeBytes(writes: readonly Buffer[]): string {
  return `base64, in ${writes.length} pieces: ${writes.map((bytes) => bytes.toString('base64')).join(' ')}`
}
