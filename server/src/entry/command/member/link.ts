import { RequestError } from '#base/errors.ts'
import { findMember } from '#features/accounts/members/find-member.ts'
import { makeSignInLink } from '#features/accounts/sessions/make-sign-in-link.ts'
import type { Command } from '../command.ts'
import { formatMinute, print, printJson } from '../print.ts'
import { withStore } from '../with-store.ts'
import { panelLink, readBaseUrl, urlOption } from './panel-link.ts'

export const command: Command = {
  options: {
    email: { value: 'address', summary: 'of a member of any app', isRequired: true },
    url: urlOption,
    json: { summary: 'print JSON' },
  },
  notes: 'For members who forgot their password. The link works once, within 24 hours; earlier links stop working.',
  examples: ['peyk member link --email sara@shop.example --url https://push.example.com'],

  async run(input) {
    const baseUrl = readBaseUrl(input.text('url'))
    const email = input.text('email') as string
    const { key, expiresAt } = await withStore(async (store, now) => {
      const ctx = { store, now }
      const member = await findMember(ctx, { email })
      if (!member)
        throw new RequestError('not-found', `There is no member ${email}: create one with peyk member create.`)
      return makeSignInLink(ctx, { memberId: member.id })
    })
    const link = panelLink(baseUrl, key)
    if (input.isOn('json')) printJson({ link, expiresAt })
    else print(`${link}\n\nIt signs in once, until ${formatMinute(expiresAt)}.`)
    return undefined
  },
}
