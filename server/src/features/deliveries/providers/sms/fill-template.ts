import type { HttpGatewayCredentials } from '#features/accounts/credential-formats/http-gateway.ts'
import type { Sms } from './sms-outcome.ts'

type Escape = (value: string) => string

const escapes: Record<HttpGatewayCredentials['contentType'], Escape> = {
  json: (value) => JSON.stringify(value).slice(1, -1),
  form: encodeURIComponent,
  text: (value) => value,
}

/** The body of a gateway's request: what is filled in stays inside the place it stands in. */
export function fillBody(template: string, contentType: HttpGatewayCredentials['contentType'], sms: Sms): string {
  return fill(template, sms, escapes[contentType])
}

export function fillUrl(template: string, sms: Sms): string {
  return fill(template, sms, encodeURIComponent)
}

/** One pass: a text that holds `{{to}}` itself is not filled again. */
function fill(template: string, sms: Sms, write: Escape): string {
  return template.replaceAll(/{{\s*(to|text|reference)\s*}}/g, (_, name: keyof Sms) => write(sms[name].toWellFormed()))
}
