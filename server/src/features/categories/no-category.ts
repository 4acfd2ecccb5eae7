import { show } from '@peyk/contract'
import { RequestError } from '#base/errors.ts'

export function noCategory(id: string): RequestError {
  return new RequestError('not-found', `There is no category with the id ${show(id)}.`, {
    details: { what: 'category' },
  })
}
