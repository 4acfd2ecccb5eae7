import type { Context } from '../../base/context.ts'
import { RequestError } from '../../base/errors.ts'
import { isPassword } from '../../base/secrets.ts'
import { createMember } from '../accounts/create-member.ts'
import { findMember } from '../accounts/find-member.ts'
import { findPasswords } from '../accounts/find-passwords.ts'
import { makeSignInLink } from '../accounts/make-sign-in-link.ts'
import { resetPassword } from '../accounts/reset-password.ts'

export interface DemoMember {
  email: string
  password: string
  /** Of a link that signs in once. */
  linkKey: string
}

type Ctx = Pick<Context, 'app' | 'store' | 'now'>

const email = 'demo@peyk.local'

/** Somebody to use the panel of the demo app as. The password that is known (from demo.json) is kept when it works. */
export async function openDemoMember(ctx: Ctx, input: { known: string | undefined }): Promise<DemoMember> {
  const made = await makeMember(ctx)
  const member = await findMember(ctx, { email })
  if (!member) throw new RequestError('not-found', `The member ${email} was removed while the demo was made.`)
  const own = (await findPasswords(ctx, { memberId: member.id })).find(({ appId }) => appId === ctx.app.id)
  const isKept = input.known !== undefined && (await isPassword(input.known, own?.passwordHash))
  const password =
    made ?? (isKept ? (input.known as string) : (await resetPassword(ctx, { memberId: member.id })).password)
  const { key: linkKey } = await makeSignInLink(ctx, { memberId: member.id })
  return { email, password, linkKey }
}

/** Answers the password when it is new. */
async function makeMember(ctx: Ctx): Promise<string | undefined> {
  try {
    return (await createMember(ctx, { email, role: 'admin' })).generatedPassword
  } catch (error) {
    if (error instanceof RequestError && error.code === 'already-exists') return undefined
    throw error
  }
}
