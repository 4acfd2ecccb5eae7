/** The topic on which a message comes to a client. */
export function topicOfMessage(appLabel: string, userId: string, channel: string): string {
  if (channel.startsWith('public/')) return `app/${appLabel}/user/${channel}`
  return `app/${appLabel}/user/${userId}/${channel.startsWith('private/') ? channel.slice(8) : channel}`
}

/** The topic on which an installation is told of recalled messages. */
export function topicOfClear(appLabel: string, installationId: string): string {
  return `app/${appLabel}/clear/${installationId}`
}
