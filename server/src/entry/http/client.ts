import * as contract from '@peyk/contract'
import { getPublicKey } from '#features/accounts/providers/get-public-key.ts'
import { changeOwnPreferences } from '#features/categories/preferences/change-own-preferences.ts'
import { getOwnPreferences } from '#features/categories/preferences/get-own-preferences.ts'
import { changeAttributes } from '#features/installations/attributes/change-attributes.ts'
import { incrementAttributes } from '#features/installations/attributes/increment-attributes.ts'
import { getInstallation } from '#features/installations/read/get-installation.ts'
import { listInstallations } from '#features/installations/read/list-installations.ts'
import { registerInstallation } from '#features/installations/register/register-installation.ts'
import { updateDeviceToken } from '#features/installations/register/update-device-token.ts'
import { updateInstallation } from '#features/installations/register/update-installation.ts'
import { listTagsOfUser } from '#features/installations/tags/list-tags-of-user.ts'
import { unregisterInstallation } from '#features/installations/uninstalls/unregister-installation.ts'
import { recordClientBatch } from '#features/receipts/record-client-batch.ts'
import { del, get, post, put, type Route } from './route.ts'

/** What the client library calls. (Tags are in api.ts: both sides call those.) */
export const clientRoutes: readonly Route[] = [
  post('/api/installations', ['client'], contract.registerInstallation, (ctx, { body }) =>
    registerInstallation(ctx, body),
  ),
  get('/api/installations', ['client'], contract.listInstallations, (ctx, { query }) => listInstallations(ctx, query)),
  get('/api/installations/:id', ['client'], contract.getInstallation, (ctx, { params }) =>
    getInstallation(ctx, params),
  ),
  put('/api/installations/userInfo', ['client'], contract.userInfo, (ctx, { body }) => changeAttributes(ctx, body)),
  put('/api/installations/:id', ['client'], contract.updateInstallation, (ctx, { params, body }) =>
    updateInstallation(ctx, { ...params, body }),
  ),
  del('/api/installations/:id', ['client'], contract.unregisterInstallation, (ctx, { params }) =>
    unregisterInstallation(ctx, params),
  ),
  post('/api/installations/updateDeviceToken', ['client'], contract.updateDeviceToken, (ctx, { body }) =>
    updateDeviceToken(ctx, body),
  ),
  get('/api/installations/tags/:userId', ['client', 'tags'], contract.tagsOfUser, (ctx, { params, query }) =>
    listTagsOfUser(ctx, { ...query, ...params }),
  ),
  post('/api/installations/incrementAttribute', ['client'], contract.incrementAttribute, (ctx, { body }) =>
    incrementAttributes(ctx, body),
  ),
  post('/api/installations/events', ['client', 'events'], contract.clientEvents, (ctx, { body }) =>
    recordClientBatch(ctx, body),
  ),
  get('/api/installations/preferences/:id', ['client'], contract.getOwnPreferences, (ctx, { params }) =>
    getOwnPreferences(ctx, params),
  ),
  put('/api/installations/preferences/:id', ['client'], contract.changeOwnPreferences, (ctx, { params, body }) =>
    changeOwnPreferences(ctx, { ...body, ...params }),
  ),
  get('/api/webPush/publicKey', ['client'], contract.webPushPublicKey, (ctx) => getPublicKey(ctx)),
]
