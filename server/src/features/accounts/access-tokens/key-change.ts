import { defineAppBroadcast } from '#base/bus/app-broadcast.ts'

const news = defineAppBroadcast('key-change')

/** Told when a token of an app is revoked, or may be used from other origins: whoever uses it is looked at again. */
export const onKeyChange = news.on
export const hearKeyChanges = news.hear
export const announceKeyChange = news.announce
