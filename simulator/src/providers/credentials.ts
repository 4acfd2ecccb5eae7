import type { ProviderKeys } from './keys.ts'

/** What Google's console gives out. */
export interface ServiceAccount {
  type: 'service_account'
  project_id: string
  private_key_id: string
  private_key: string
  client_email: string
  client_id: string
  token_uri: string
}

/** What the providers would give to somebody with an account: to be set in the service as they are. */
export interface Credentials {
  fcm: ServiceAccount
  /** `key` is the text of the .p8 file. */
  apns: { key: string; keyId: string; teamId: string; bundleId: string; environment: 'production' | 'sandbox' }
  sms: {
    twilio: { accountSid: string; authToken: string; from: string }
    generic: { url: string; apiKey: string }
  }
}

export function issueCredentials(keys: ProviderKeys, oauthUrl: string, smsUrl: string): Credentials {
  const { keyId, teamId, bundleId, environment } = keys.apns
  const { accountSid, authToken, from, apiKey } = keys.sms
  return {
    fcm: {
      type: 'service_account',
      project_id: keys.fcm.projectId,
      private_key_id: keys.fcm.privateKeyId,
      private_key: keys.fcm.privateKey,
      client_email: keys.fcm.clientEmail,
      client_id: '100000000000000000001',
      token_uri: oauthUrl,
    },
    apns: { key: keys.apns.privateKey, keyId, teamId, bundleId, environment },
    sms: { twilio: { accountSid, authToken, from }, generic: { url: `${smsUrl}/sms/send`, apiKey } },
  }
}
