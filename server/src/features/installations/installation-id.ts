import { RequestError } from '#base/errors.ts'
import { isUuid } from '#base/ids.ts'

/** The id as the store has it. What is no UUID names no installation. */
export function checkInstallationId(id: string): string {
  if (!isUuid(id)) throw unknownInstallation(id)
  return id.toLowerCase()
}

export function unknownInstallation(id: string): RequestError {
  return new RequestError('not-found', `There is no installation "${id.slice(0, 80)}".`)
}
