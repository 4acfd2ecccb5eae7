import { transactional } from '../draft/draft.ts'

export interface CategoryChoices {
  /** In the order in which they are offered; '' is what applies when none is chosen. */
  values: string[]
  value: string
  /** The category that applies when none is chosen; undefined where that is transactional. */
  unchosen: string | undefined
  /** Limits and preferences hold for the message. */
  hasLimits: boolean
}

/**
 * What can be chosen as the category of a message. To named users, and in an app that has no category for sends to groups,
 * none and transactional are the same.
 */
export function categoryChoices(asked: {
  chosen: string
  known: readonly string[]
  /** Of sends to groups that name none. */
  groupCategory: string | undefined
  isToGroup: boolean
}): CategoryChoices {
  const { chosen, known, isToGroup } = asked
  const unchosen = isToGroup ? asked.groupCategory : undefined
  const value = unchosen === undefined && chosen === transactional ? '' : chosen
  const isGone = value !== '' && value !== transactional && !known.includes(value)
  return {
    values: ['', ...(unchosen === undefined ? [] : [transactional]), ...known, ...(isGone ? [value] : [])],
    value,
    unchosen,
    hasLimits: value === '' ? unchosen !== undefined : value !== transactional,
  }
}
