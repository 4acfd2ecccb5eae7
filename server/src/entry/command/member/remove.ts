import { RequestError } from '#base/errors.ts'
import { listMembers } from '#features/accounts/members/list-members.ts'
import { removeMember } from '#features/accounts/members/remove-member.ts'
import type { Command } from '../command.ts'
import { print } from '../print.ts'
import { withApp } from '../with-app.ts'

export const command: Command = {
  options: {
    app: { value: 'label', summary: 'the app they are removed from', isRequired: true },
    email: { value: 'address', summary: 'whom to remove', isRequired: true },
  },
  notes: 'Takes effect at once. The only admin of an app cannot be removed. A member of no other app is deleted.',
  examples: ['peyk member remove --app demo --email ali@shop.example'],

  async run(input) {
    const label = input.text('app') as string
    const email = (input.text('email') as string).trim().toLowerCase()
    await withApp(label, async (ctx) => {
      const member = (await listMembers(ctx)).find((listed) => listed.email === email)
      if (!member) throw new RequestError('not-found', `The app "${label}" has no member ${email}.`)
      await removeMember(ctx, member)
    })
    print(`${email} is no longer a member of the app ${label}.`)
    return undefined
  },
}
