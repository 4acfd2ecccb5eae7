import type { TemplateMessage } from '@peyk/contract'
import { limits } from '#base/config.ts'
import type { Context } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { checkCategories } from '../../categories/check-categories.ts'
import { draftMessage } from '../accept/draft-message.ts'
import { checkPushSizes } from '../check/check-push-size.ts'
import { pick } from '../compose/pick.ts'

/** What is saved could be sent now; answers it as it is stored. */
export async function checkTemplateMessage(ctx: Context, input: TemplateMessage): Promise<TemplateMessage> {
  try {
    const sent = await checkCategories(ctx, input)
    const product = sent.content === undefined ? 'notification' : 'message'
    const acceptance = { appId: ctx.app.id, product, at: ctx.now(), clock: ctx.now, values: 'later' } as const
    const draft = draftMessage(sent, acceptance)
    await checkPushSizes(ctx, [draft])
    return checkBytes({ ...draft.body, ...pick(sent, ['ttl', 'category', 'quietHours', 'whenCapped']) })
  } catch (error) {
    throw error instanceof RequestError ? inMessage(error) : error
  }
}

function checkBytes(message: TemplateMessage): TemplateMessage {
  const bytes = Buffer.byteLength(JSON.stringify(message))
  if (bytes <= limits.templateBytes) return message
  throw new RequestError(
    'too-large',
    `The message takes ${bytes} bytes as JSON; ${limits.templateBytes} are allowed in a template.`,
  )
}

/** The same fault, with its field where the caller of the templates' endpoints has it. */
function inMessage({ code, message, details }: RequestError): RequestError {
  const field = details?.field
  return new RequestError(code, message.replace(/^"/, '"message.'), {
    ...(details && { details: { ...details, ...(typeof field === 'string' && { field: `message.${field}` }) } }),
  })
}
