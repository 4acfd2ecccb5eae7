import { expect, it } from 'vitest'
import { traceHere } from '#base/trace/tracer.test-support.ts'
import { startBatchTrace } from './batch-trace.ts'

it('has a step for the first calls of a batch, and counts all of them', () => {
  const ended = traceHere()
  const messageId = '019a9c3e-7c00-7abc-8def-0123456789ab'
  const batch = { appLabel: 'shop', messageId, lane: 'group', attempts: 1, installations: 100 }
  const trace = startBatchTrace(batch)
  for (let nth = 0; nth < 99; nth++) trace?.endCall(trace.startCall('fcm'), { kind: 'accepted' })
  trace?.endCall(trace.startCall('apns'), {
    kind: 'later',
    retryAfterMs: 0,
    isForAll: false,
    wasWithdrawn: true,
    detail: '',
  })
  trace?.end(false)
  expect(ended.filter(({ name }) => name === 'send fcm')).toHaveLength(20)
  const dispatch = ended.at(-1)
  expect(dispatch?.attributes.get('peyk.outcomes.accepted')).toBe(99)
  expect(dispatch?.attributes.get('peyk.outcomes.withdrawn')).toBe(1)
})
