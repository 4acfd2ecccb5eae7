import { passwordCost } from '@peyk/server/base/secrets/passwords.ts'

/** A hash takes half a second as the product makes it, and tests make many. */
passwordCost.log2N = 10
