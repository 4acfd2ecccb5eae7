import { changeApp } from '#features/accounts/apps/change-app.ts'
import { replaceIdentitySecret } from '#features/accounts/apps/replace-identity-secret.ts'
import { type Command, type CommandInput, UsageError } from '../command.ts'
import { print, printJson } from '../print.ts'
import { withApp } from '../with-app.ts'

export const command: Command = {
  arguments: [{ name: 'label', summary: "the app's id" }],
  options: {
    name: { value: 'name', summary: 'its name, and the title of notifications that have none' },
    'user-messages': { value: 'on|off', summary: 'users may send messages to each other (default: off)' },
    'public-user-messages': {
      value: 'on|off',
      summary: 'and to everybody on a public channel (default: off)',
    },
    'identity-verification': {
      value: 'on|off',
      summary: 'login needs a hash that only your backend can make (default: off)',
    },
    'withhold-codes-from-guests': { value: 'on|off', summary: 'guests get no promo codes (default: off)' },
    'withhold-codes-hours': {
      value: 'hours',
      summary: 'installations get promo codes only so many hours after they were registered (0: at once)',
    },
    zone: {
      value: 'zone',
      summary: 'the time zone of users of whom none is known, such as Asia/Tehran (default: UTC)',
    },
    'new-identity-secret': { summary: 'replace the secret that those hashes are created with' },
    json: { summary: 'print JSON' },
  },
  notes: `Without an option it shows the settings. The identity secret is shown once, when it is created.`,
  examples: [
    'peyk app set shop --name "My shop"',
    'peyk app set shop --identity-verification on',
    'peyk app set shop --new-identity-secret',
    'peyk app set shop --zone Asia/Tehran',
    'peyk app set shop --withhold-codes-from-guests on --withhold-codes-hours 24',
  ],

  async run(input) {
    const name = input.text('name')
    const allowUserMessages = readSwitch(input, 'user-messages')
    const allowPublicUserMessages = readSwitch(input, 'public-user-messages')
    const identityVerification = readSwitch(input, 'identity-verification')
    const withholdCodesFromGuests = readSwitch(input, 'withhold-codes-from-guests')
    const withholdCodesHours = readHours(input, 'withhold-codes-hours')
    const zone = input.text('zone')
    const set = await withApp(input.words[0] as string, async (ctx) => {
      const app = await changeApp(ctx, {
        ...(name !== undefined && { name }),
        ...(allowUserMessages !== undefined && { allowUserMessages }),
        ...(allowPublicUserMessages !== undefined && { allowPublicUserMessages }),
        ...(identityVerification !== undefined && { identityVerification }),
        ...(withholdCodesFromGuests !== undefined && { withholdCodesFromGuests }),
        ...(withholdCodesHours !== undefined && { withholdCodesHours }),
        ...(zone !== undefined && { zone }),
      })
      const isAnew = input.isOn('new-identity-secret') && app.identitySecret === undefined
      return isAnew ? { ...app, ...(await replaceIdentitySecret(ctx)) } : app
    })
    if (input.isOn('json')) {
      printJson(set)
      return undefined
    }
    print(`The app ${set.appId}:

  name                   ${set.name}
  user messages          ${set.allowUserMessages ? 'on' : 'off'}
  public user messages   ${set.allowPublicUserMessages ? 'on' : 'off'}
  identity verification  ${set.identityVerification ? 'on' : 'off'}
  time zone              ${set.zone}`)
    if (set.withholdCodesFromGuests) print('  promo codes            not for guests')
    if (set.withholdCodesHours > 0) print(`  promo codes            ${set.withholdCodesHours} h after registration`)
    if (set.identitySecret !== undefined)
      print(`  identity secret        ${set.identitySecret}

The secret is for your backend only, and is shown only once.`)
    return undefined
  },
}

function readHours(input: CommandInput, option: string): number | undefined {
  const text = input.text(option)
  if (text === undefined) return undefined
  if (/^\d+$/.test(text)) return Number(text)
  throw new UsageError(`Expected --${option} and a whole number of hours, got "${text}".`)
}

function readSwitch(input: CommandInput, option: string): boolean | undefined {
  const text = input.text(option)
  if (text === undefined) return undefined
  if (text === 'on' || text === 'off') return text === 'on'
  throw new UsageError(`Expected --${option} on or --${option} off, got "${text}".`)
}
