import type { Context } from '#base/context.ts'

/** What verbs are given that run before there is an app. */
export type AccountsContext = Pick<Context, 'store' | 'tx' | 'now'>
