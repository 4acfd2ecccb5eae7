import { createMember } from '#features/accounts/members/create-member.ts'
import { makeSignInLink } from '#features/accounts/sessions/make-sign-in-link.ts'
import { type Command, UsageError } from '../command.ts'
import { print, printJson } from '../print.ts'
import { readFirstLine } from '../read-first-line.ts'
import { withApp } from '../with-app.ts'
import { panelLink, readBaseUrl, urlOption } from './panel-link.ts'

export const command: Command = {
  options: {
    app: { value: 'label', summary: 'the app they may use', isRequired: true },
    email: { value: 'address', summary: 'the email address they sign in with', isRequired: true },
    role: { value: 'role', summary: 'admin, marketer, analyst or support', isRequired: true },
    password: {
      value: 'password',
      summary: 'at least 10 characters; other users of this machine can see it while the command runs',
    },
    'password-stdin': { summary: 'read the password from the first line of the standard input' },
    url: urlOption,
    json: { summary: 'print JSON' },
  },
  notes:
    'Without a password, one is created and printed, with a link that signs in once within 24 hours. A member of another app is signed out everywhere and gets a separate password for this app: the password of the other app does not open it.',
  examples: [
    'peyk member create --app demo --email sara@shop.example --role admin',
    'pass show peyk | peyk member create --app demo --email ali@shop.example --role analyst --password-stdin',
  ],

  async run(input) {
    if (input.isOn('password') && input.isOn('password-stdin'))
      throw new UsageError('Give --password or --password-stdin, not both.')
    const password = input.isOn('password-stdin') ? await readFirstLine() : input.text('password')
    const baseUrl = readBaseUrl(input.text('url'))
    const { member, link } = await withApp(input.text('app') as string, async (ctx) => {
      const email = input.text('email') as string
      const made = await createMember(ctx, { email, role: input.text('role') as string, password })
      if (made.generatedPassword === undefined) return { member: made, link: undefined }
      return {
        member: made,
        link: panelLink(baseUrl, (await makeSignInLink(ctx, { memberId: made.id, appId: ctx.app.id })).key),
      }
    })
    const { id, email, role, generatedPassword } = member
    if (input.isOn('json')) {
      printJson({ id, email, role, generatedPassword: generatedPassword ?? null, link: link ?? null })
    } else {
      print(`${member.email} is now ${member.role} of the app ${input.text('app')}.`)
      if (generatedPassword)
        print(`
  password  ${generatedPassword}
  link      ${link}

The password is shown this once: only its hash is stored. The link signs in once, for 24 hours.`)
    }
    return undefined
  },
}
