import { isUuid } from '#base/ids.ts'

export interface ClientName {
  appLabel: string
  userId: string
  installationId: string
}

/** `appId/userId/installationId`; undefined when it is not that. */
export function readClientId(text: string): ClientName | undefined {
  const [appLabel, userId, installationId, ...rest] = text.split('/')
  if (!appLabel || !userId || !isUuid(installationId) || rest.length > 0) return undefined
  return { appLabel, userId, installationId: installationId.toLowerCase() }
}
