import { RequestError } from '#base/errors.ts'
import type { Finding } from '#features/deliveries/provider-setup/finding.ts'
import { setProvider } from '#features/deliveries/provider-setup/set-provider.ts'
import type { Command, Option } from '../command.ts'
import { print, printJson } from '../print.ts'
import { formatFindings } from './format-findings.ts'
import { providerArgument, readProvider } from './provider-word.ts'
import { readProviderOptions } from './read-provider-options.ts'
import { withProviders } from './with-providers.ts'

const options: Record<string, Option> = {
  app: { value: 'label', summary: 'the app they are for', isRequired: true },
  file: { value: 'path', summary: 'the file with the credentials, see below' },
  'key-id': { value: 'id', summary: 'apns: the key id (default: that of AuthKey_<key id>.p8)' },
  'team-id': { value: 'id', summary: "apns: the team id, see Membership on Apple's developer site" },
  'bundle-id': { value: 'id', summary: 'apns: the bundle id of the app' },
  environment: { value: 'name', summary: 'apns: production (App Store, TestFlight) or sandbox (run from Xcode)' },
  subject: { value: 'address', summary: 'webpush: mailto:… or https://…, for push services to contact you' },
  replace: { summary: 'webpush: replace the existing key pair; this ends every subscription' },
  'twilio-sid': { value: 'sid', summary: 'sms: the Account SID of Twilio' },
  'twilio-token-stdin': { summary: 'sms: read the Auth Token from the first line of the standard input' },
  from: { value: 'number', summary: 'sms: the number or name of the sender' },
  'messaging-service': { value: 'sid', summary: 'sms: the messaging service of Twilio, instead of --from' },
  'daily-limit': { value: 'number', summary: 'sms: daily SMS limit (default: 1000)' },
  simulated: { summary: 'the credentials are from the simulator; in development only' },
  force: { summary: 'store them even if the provider refuses them' },
  json: { summary: 'print JSON' },
}

export const command: Command = {
  arguments: [providerArgument],
  options,
  notes: `The credentials are checked with the provider and stored encrypted. If something is wrong, nothing is stored.

--file is, for
  fcm      the service account JSON (Firebase: Project settings, Service accounts, Generate new private key)
  apns     the .p8 key (Apple: Keys, Apple Push Notifications service)
  webpush  a JSON file with publicKey and privateKey, if you have a key pair; without it one is created.
           An existing pair is kept: another one would end every subscription.
  sms      a JSON file with the gateway: kind "http", method, url, headers, contentType, body, success`,
  examples: [
    'peyk provider set fcm --app shop --file service-account.json',
    'peyk provider set apns --app shop --file AuthKey_ABC123DEFG.p8 --team-id DEF123GHIJ --bundle-id com.example.shop --environment production',
    'peyk provider set webpush --app shop --subject mailto:push@shop.example',
    'pass show twilio | peyk provider set sms --app shop --twilio-sid AC0123… --twilio-token-stdin --from +15005550006',
    'peyk provider set sms --app shop --file gateway.json',
  ],

  async run(input) {
    const provider = readProvider(input.words[0])
    const app = input.text('app') as string
    const sent = await readProviderOptions(provider, input, Object.keys(options))
    try {
      const answer = await withProviders(app, (ctx) => setProvider(ctx, { provider, sent }))
      if (input.isOn('json')) printJson(answer)
      else {
        print(`Set the credentials of the app ${app} for ${provider}.\n\n${formatFindings(answer.findings)}`)
        if (answer.warning) print(`\n${answer.warning}`)
      }
      return undefined
    } catch (error) {
      const findings = error instanceof RequestError ? (error.details?.findings as Finding[] | undefined) : undefined
      if (findings && findings.length > 1 && !input.isOn('json')) print(`${formatFindings(findings)}\n`)
      throw error
    }
  },
}
