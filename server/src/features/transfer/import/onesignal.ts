import type { ColumnMap } from './column-map.ts'

/** A service whose exports can be imported. */
export interface ImportSource {
  columns: ColumnMap
  deviceTypes: ReadonlyMap<string, string>
  /** Why the other device types are refused. */
  refusedTypes: ReadonlyMap<string, string>
}

const browser = (name: string, type: number) =>
  `${type} is a subscription of ${name}, which belongs to the key pair of the site. If Peyk has this key pair, add --device-type ${type}=web.`

/** OneSignal's CSV export of subscriptions, with all of its `extra_fields`. */
export const oneSignal: ImportSource = {
  columns: new Map(
    Object.entries({
      ...{ external_user_id: 'userId', external_id: 'userId', identifier: 'deviceToken', device_type: 'deviceType' },
      ...{ tags: 'tags', language: 'language', timezone_id: 'timeZone', timezone: 'utcOffset' },
      ...{ game_version: 'clientVersion', device_os: 'osVersion', device_model: 'deviceModel' },
      ...{ session_count: 'launchCount', last_active: 'launchTime', created_at: 'installDate' },
      ...{ notification_types: 'tokenStatus', invalid_identifier: 'optedOut' },
      ...{ web_auth: 'webAuth', web_p256: 'webP256dh' },
      ...{ id: '', player_id: '', subscription_id: '', onesignal_id: '', ad_id: '', playtime: '', amount_spent: '' },
      ...{ badge_count: '', country: '', location: '', rooted: '', ip: '', sdk: '', unsubscribed_at: '' },
    }),
  ),
  deviceTypes: new Map([
    ['0', 'ios'],
    ['1', 'android'],
  ]),
  refusedTypes: new Map([
    ['2', '2 is an Amazon device (ADM).'],
    ['3', '3 is a Windows Phone (MPNS).'],
    ['4', '4 is a Chrome app.'],
    ['5', browser('Chrome', 5)],
    ['6', '6 is Windows (WNS).'],
    ['7', '7 is a website in Safari with an APNs token.'],
    ['8', browser('Firefox', 8)],
    ['9', '9 is a Mac.'],
    ['10', '10 is Alexa.'],
    ['11', '11 is an email address.'],
    ['12', browser('Edge', 12)],
    ['13', '13 is a Huawei device (HMS).'],
    ['14', '14 is a phone number for SMS.'],
    ['17', browser('Safari', 17)],
  ]),
}

export const importSources: ReadonlyMap<string, ImportSource> = new Map([['onesignal', oneSignal]])
