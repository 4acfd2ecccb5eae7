interface AskedSend {
  /** Installations that it would be sent to now. */
  count: number
  /** Undefined for a group and for everybody. */
  userIds: readonly string[] | undefined
  isLater: boolean
}

/**
 * A group is resolved again when a later send starts, so today's count says nothing about it. Named users who have no
 * device yet may have one by then.
 */
export function needsApproval({ count, userIds, isLater }: AskedSend, above: number): boolean {
  if (!isLater) return count > above
  return userIds === undefined || Math.max(count, userIds.length) > above
}
