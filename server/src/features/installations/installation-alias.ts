import { createHmac } from 'node:crypto'

const digits = 32
const aliasForm = /^[0-9a-f]{32}$/

/**
 * The name under which others see an installation. It is always the same within an app, and does not lead back to the
 * id: whoever knows an installation's id may act for it.
 */
export function aliasOf(secret: Buffer, installationId: string): string {
  return createHmac('sha256', secret).update(installationId.toLowerCase()).digest('hex').slice(0, digits)
}

export function isAlias(text: string): boolean {
  return aliasForm.test(text)
}
