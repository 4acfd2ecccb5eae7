import type { Role } from '@peyk/contract'

export const roles: readonly Role[] = ['admin', 'marketer', 'analyst', 'support']
