export * from './alerts.ts'
export * from './app.ts'
export * from './attributes.ts'
export * from './deliveries.ts'
export * from './events.ts'
export * from './explain.ts'
export * from './images.ts'
export * from './installations.ts'
export * from './messages.ts'
export * from './panel/campaigns.ts'
export * from './panel/checklist.ts'
export * from './panel/event-questions.ts'
export * from './panel/live.ts'
export * from './panel/messages.ts'
export * from './panel/overview.ts'
export * from './panel/phones.ts'
export * from './panel/promo.ts'
export * from './panel/segments.ts'
export * from './panel/send.ts'
export * from './panel/session.ts'
export * from './panel/settings.ts'
export * from './panel/uninstalls.ts'
export * from './panel/users.ts'
export * from './promo.ts'
export * from './providers.ts'
export { type Checked, checker, type Fault, show } from './schema/check.ts'
export { coerce } from './schema/coerce.ts'
export {
  type AnswerOf,
  type AnyEndpoint,
  type BodyOf,
  defineEndpoint,
  type Endpoint,
  type ParamsOf,
  type QueryOf,
} from './schema/endpoint.ts'
export * from './schema/words.ts'
export * from './segments.ts'
export * from './sending.ts'
export * from './tags.ts'
export * from './template-fault.ts'
export * from './users.ts'
export * from './webhooks.ts'
