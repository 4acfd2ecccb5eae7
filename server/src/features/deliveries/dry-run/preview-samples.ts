import type { DryRun } from '@peyk/contract'
import { allowedBytes } from '../../messages/payloads/compile-push.ts'
import type { CompiledPush, PushTarget, Recipient, RenderedPush } from '../../messages/payloads/compiled-push.ts'
import type { Payload } from '../../messages/payloads/payload.ts'

type Sample = DryRun['samples'][number]

/** A way of a push and an installation that it leads to. */
export interface SampleWanted extends PushTarget {
  installationNo: number
  /** Of a message that has several. */
  language?: string
  variant?: string
}

export interface SamplesToWrite {
  wanted: readonly SampleWanted[]
  /** By the number of the installation. */
  recipients: ReadonlyMap<number, Recipient>
  compiled: CompiledPush
  at: Date
}

/** What those installations would be given, as the delivery itself would write it. */
export async function writeSamples(
  appId: number,
  { wanted, recipients, compiled, at }: SamplesToWrite,
): Promise<Sample[]> {
  const samples = wanted.flatMap(({ installationNo, ...sample }) => {
    const person = recipients.get(installationNo)
    return person ? [{ sample, recipient: { ...person, language: sample.language, variant: sample.variant } }] : []
  })
  await compiled.renderSlowTexts(
    appId,
    samples.map(({ recipient }) => recipient),
  )
  return samples.map(({ sample, recipient }) => {
    const { provider } = sample
    const push = compiled.render(sample, at, recipient)
    const { installationId, userId } = recipient
    const target = { ...sample, installationId, userId }
    return { ...target, allowed: allowedBytes[provider], ...shown(push) }
  })
}

function shown(push: RenderedPush): Partial<Sample> {
  if (push.kind === 'refused') return { ...(push.bytes !== undefined && { bytes: push.bytes }), fault: push.detail }
  return { bytes: push.bytes, ...request(push.payload) }
}

function request(payload: Payload): Pick<Sample, 'headers' | 'payload'> {
  switch (payload.provider) {
    case 'fcm':
      return { payload: { message: JSON.parse(`{${payload.fields}}`) } }
    case 'apns':
      return {
        headers: {
          'apns-push-type': payload.pushType,
          'apns-priority': String(payload.priority),
          'apns-collapse-id': payload.collapseId,
        },
        payload: JSON.parse(payload.body),
      }
    case 'webpush':
      return { headers: { Urgency: payload.urgency, Topic: payload.topic }, payload: JSON.parse(payload.body) }
  }
}
