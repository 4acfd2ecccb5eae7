/** What a platform is given, without the device it goes to. */
export type Payload =
  /** `fields` is the JSON of `message` without its token, as the inside of an object: `"android":{…},"data":{…}`. */
  | { provider: 'fcm'; fields: string }
  | { provider: 'apns'; body: string; pushType: 'alert' | 'background'; priority: 10 | 5; collapseId: string }
  | { provider: 'webpush'; body: string; urgency: 'very-low' | 'low' | 'normal' | 'high'; topic: string }
