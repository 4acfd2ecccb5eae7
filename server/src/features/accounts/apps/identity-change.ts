import { defineAppBroadcast } from '#base/bus/app-broadcast.ts'

const news = defineAppBroadcast('identity-change')

/** Told when an app gets another identity secret, or none: what is remembered of the old one is to be forgotten. */
export const onIdentityChange = news.on
export const hearIdentityChanges = news.hear
export const announceIdentityChange = news.announce
