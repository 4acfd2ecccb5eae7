import type { Context } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { isPassword } from '#base/secrets/passwords.ts'
import { createMember } from '../accounts/members/create-member.ts'
import { findMember } from '../accounts/members/find-member.ts'
import { findPasswords } from '../accounts/sessions/find-passwords.ts'
import { makeSignInLink } from '../accounts/sessions/make-sign-in-link.ts'
import { resetPassword } from '../accounts/sessions/reset-password.ts'
import type { DemoInput } from './open-demo-app.ts'

export interface DemoMember {
  email: string
  password: string
  /** Of a link that signs in once. */
  linkKey: string
}

type Ctx = Pick<Context, 'app' | 'store' | 'now'>

const firstEmail = 'demo@peyk.local'

/**
 * Somebody to use the panel of the demo app as. The password that is known (from demo.json) is kept when it works. It
 * is not replaced where another process on the same database may have it in its file: then each place has a member.
 */
export async function openDemoMember(
  ctx: Ctx,
  input: Pick<DemoInput, 'place'> & { known: string | undefined },
): Promise<DemoMember> {
  const first = await openMember(ctx, firstEmail, { ...input, mayReset: input.place === undefined })
  if (first) return first
  return (await openMember(ctx, `demo-${input.place}@peyk.local`, { ...input, mayReset: true })) as DemoMember
}

async function openMember(
  ctx: Ctx,
  email: string,
  input: { known: string | undefined; mayReset: boolean },
): Promise<DemoMember | undefined> {
  const made = await makeMember(ctx, email)
  const member = await findMember(ctx, { email })
  if (!member) throw new RequestError('not-found', `The member ${email} was removed while the demo was made.`)
  const own = (await findPasswords(ctx, { memberId: member.id })).find(({ appId }) => appId === ctx.app.id)
  const isKept = input.known !== undefined && (await isPassword(input.known, own?.passwordHash))
  if (made === undefined && !isKept && !input.mayReset) return undefined
  const password =
    made ?? (isKept ? (input.known as string) : (await resetPassword(ctx, { memberId: member.id })).password)
  const { key: linkKey } = await makeSignInLink(ctx, { memberId: member.id })
  return { email, password, linkKey }
}

/** Answers the password when it is new. */
async function makeMember(ctx: Ctx, email: string): Promise<string | undefined> {
  try {
    return (await createMember(ctx, { email, role: 'admin' })).generatedPassword
  } catch (error) {
    if (error instanceof RequestError && error.code === 'already-exists') return undefined
    throw error
  }
}
