import type { controlName as ofContract } from '@peyk/contract'

/** What those are called who get nothing of a message, to compare with. */
export const controlName: typeof ofContract = 'control'
