export type ActionType = 'DELIVERED' | 'SHOWN' | 'OPENED' | 'ACTION_TAKEN' | 'DISMISSED'

/** What became of a notification, as the service is told. */
export interface Receipt {
  actionType: ActionType
  msgId: string
  trackId?: string
  actionTs: number
  actionId?: string
}

/** The app was opened by it. */
export function isDirect({ actionType }: Receipt): boolean {
  return actionType === 'OPENED' || actionType === 'ACTION_TAKEN'
}

const influenceMs = 12 * 60 * 60 * 1_000

/** What an event is attributed to: the last receipt of the past twelve hours. */
export function influenceOf(
  last: (Receipt & { direct: boolean }) | undefined,
  now: number,
): (Receipt & { direct: boolean }) | undefined {
  return last && now - last.actionTs < influenceMs ? last : undefined
}
