import { RequestError } from '#base/errors.ts'

export function checkFormSize(size: number, max: number, of: string): void {
  if (size > max) throw new RequestError('too-large', `The form has ${size} ${of}; at most ${max} are allowed.`)
}
