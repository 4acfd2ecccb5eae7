import { defineAppNews } from '../../../base/bus/app-news.ts'

const news = defineAppNews('identity-change')

/** Told when an app gets another identity secret, or none: what is remembered of the old one is to be forgotten. */
export const onIdentityChange = news.on
export const hearIdentityChanges = news.hear
export const announceIdentityChange = news.announce
