import type { Sending } from '@peyk/contract'
import { countOf } from '../backup/progress-lines.ts'

/** What is still to be sent of an app, a line each. */
export function describeSending({ messages, devices, inFlight, sms, more }: Sending): string {
  return [
    `  ${countOf(messages, 'message')} to ${countOf(devices, 'device')}${more ? ', and more that were not counted' : ''}`,
    ...(inFlight > 0 ? [`  ${countOf(inFlight, 'device')} whose push a provider already has`] : []),
    `  ${sms.toLocaleString('en')} SMS`,
  ].join('\n')
}
