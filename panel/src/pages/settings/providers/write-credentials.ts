import type { ProviderName } from '../queries.ts'

type Credentials = Record<string, unknown>

/** What a form holds, as the service takes it. */
export function writeCredentials(name: ProviderName, form: Credentials): Credentials {
  if (name === 'fcm') return { file: form.file }
  if (name === 'webpush') return { subject: form.subject }
  if (name === 'apns') {
    const { privateKey, keyId, teamId, bundleId, environment } = form
    return { privateKey, keyId, teamId, bundleId, environment }
  }
  const { kind, dailyLimit } = form
  if (kind === 'twilio')
    return { kind, accountSid: form.accountSid, authToken: form.authToken, from: form.from, dailyLimit }
  const { method, url, contentType, body, contains } = form
  return {
    ...{ kind, method, url, dailyLimit },
    headers: readHeaderLines(String(form.headerLines ?? '')),
    ...(method !== 'GET' && { contentType, body }),
    ...(contains ? { success: { contains } } : {}),
  }
}

function readHeaderLines(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return Object.fromEntries(
    lines.map((line) => {
      const [name = '', ...value] = line.split(':')
      return [name.trim(), value.join(':').trim()]
    }),
  )
}
