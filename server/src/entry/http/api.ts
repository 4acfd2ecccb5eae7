import * as contract from '@peyk/contract'
import { clearAlert } from '#features/accounts/alerts/clear-alert.ts'
import { listAlerts } from '#features/accounts/alerts/list-alerts.ts'
import { changeApp } from '#features/accounts/apps/change-app.ts'
import { getOwnApp } from '#features/accounts/apps/get-own-app.ts'
import { replaceIdentitySecret } from '#features/accounts/apps/replace-identity-secret.ts'
import { listProviders } from '#features/accounts/providers/list-providers.ts'
import { removeProvider } from '#features/accounts/providers/remove-provider.ts'
import { createCampaign } from '#features/campaigns/create-campaign.ts'
import { listCampaigns } from '#features/campaigns/list-campaigns.ts'
import { createCategory } from '#features/categories/create-category.ts'
import { deleteCategory } from '#features/categories/delete-category.ts'
import { listCategories } from '#features/categories/list-categories.ts'
import { changePreferences } from '#features/categories/preferences/change-preferences.ts'
import { getPreferences } from '#features/categories/preferences/get-preferences.ts'
import { replaceCategory } from '#features/categories/replace-category.ts'
import { editScheduled } from '#features/composer/changes/edit-scheduled.ts'
import { editSeries } from '#features/composer/changes/edit-series.ts'
import { cancelMessage } from '#features/deliveries/control/cancel-message.ts'
import { getSending } from '#features/deliveries/control/get-sending.ts'
import { pauseMessage } from '#features/deliveries/control/pause-message.ts'
import { resumeAllSending } from '#features/deliveries/control/resume-all-sending.ts'
import { resumeMessage } from '#features/deliveries/control/resume-message.ts'
import { stopAllSending } from '#features/deliveries/control/stop-all-sending.ts'
import { previewSend } from '#features/deliveries/dry-run/preview-send.ts'
import { checkProvider } from '#features/deliveries/provider-setup/check-provider.ts'
import { resumeProvider } from '#features/deliveries/provider-setup/resume-provider.ts'
import { setProvider } from '#features/deliveries/provider-setup/set-provider.ts'
import { getCampaignCounts } from '#features/deliveries/read/get-campaign-counts.ts'
import { getMessage } from '#features/deliveries/read/get-message.ts'
import { listDeliveries } from '#features/deliveries/read/list-deliveries.ts'
import { recallMessage } from '#features/deliveries/recall/recall-message.ts'
import { listHeldUninstalls } from '#features/deliveries/token-checks/list-held-uninstalls.ts'
import { settleHeldUninstalls } from '#features/deliveries/token-checks/settle-held-uninstalls.ts'
import { listEvents } from '#features/events/read/list-events.ts'
import { trackBulk } from '#features/events/track/track-bulk.ts'
import { trackEvent } from '#features/events/track/track-event.ts'
import { trackPurchase } from '#features/events/track/track-purchase.ts'
import { trackRevenue } from '#features/events/track/track-revenue.ts'
import { explainMessage } from '#features/explain/explain-message.ts'
import { deleteImage } from '#features/images/delete-image.ts'
import { listImages } from '#features/images/list-images.ts'
import { storeImage } from '#features/images/store-image.ts'
import { setAttributes } from '#features/installations/attributes/set-attributes.ts'
import { listChannels } from '#features/installations/channels/list-channels.ts'
import { getInstallation } from '#features/installations/read/get-installation.ts'
import { listInstallationsOfUser } from '#features/installations/read/list-installations-of-user.ts'
import { addTags } from '#features/installations/tags/add-tags.ts'
import { addValueTag } from '#features/installations/tags/add-value-tag.ts'
import { listTags } from '#features/installations/tags/list-tags.ts'
import { removeTags } from '#features/installations/tags/remove-tags.ts'
import { reportUninstalls } from '#features/installations/uninstalls/report-uninstalls.ts'
import { listScheduled } from '#features/messages/schedule/list-scheduled.ts'
import { notifyToUsers } from '#features/messages/send/notify-to-users.ts'
import { notifyUser } from '#features/messages/send/notify-user.ts'
import { notifyUsers } from '#features/messages/send/notify-users.ts'
import { sendByQuery } from '#features/messages/send/send-by-query.ts'
import { sendToUsers } from '#features/messages/send/send-to-users.ts'
import { endSeries } from '#features/messages/series/end-series.ts'
import { getSeries } from '#features/messages/series/get-series.ts'
import { listSeries } from '#features/messages/series/list-series.ts'
import { pauseSeries } from '#features/messages/series/pause-series.ts'
import { resumeSeries } from '#features/messages/series/resume-series.ts'
import { skipNext } from '#features/messages/series/skip-next.ts'
import { findMessages } from '#features/messages/stored/find-messages.ts'
import { createTemplate } from '#features/messages/templates/create-template.ts'
import { deleteTemplate } from '#features/messages/templates/delete-template.ts'
import { getTemplate } from '#features/messages/templates/get-template.ts'
import { listTemplates } from '#features/messages/templates/list-templates.ts'
import { replaceTemplate } from '#features/messages/templates/replace-template.ts'
import { deleteUser } from '#features/privacy/delete-user.ts'
import { exportUser } from '#features/privacy/export-user.ts'
import { countSegment } from '#features/segments/count/count-segment.ts'
import { createSegment } from '#features/segments/saved/create-segment.ts'
import { deleteSegment } from '#features/segments/saved/delete-segment.ts'
import { getSegment } from '#features/segments/saved/get-segment.ts'
import { listSegments } from '#features/segments/saved/list-segments.ts'
import { replaceSegment } from '#features/segments/saved/replace-segment.ts'
import { readUsage } from '#features/statistics/usage/read-usage.ts'
import { compareMessage } from '#features/statistics/variants/compare-message.ts'
import { exportDeliveries } from '#features/transfer/exports/export-deliveries.ts'
import { exportEvents } from '#features/transfer/exports/export-events.ts'
import { exportUsers } from '#features/transfer/exports/export-users.ts'
import { openStream } from '#features/transfer/stream/open-stream.ts'
import { listWebhookAttempts } from '#features/webhooks/calls/list-webhook-attempts.ts'
import { testWebhook } from '#features/webhooks/calls/test-webhook.ts'
import { createWebhook } from '#features/webhooks/settings/create-webhook.ts'
import { deleteWebhook } from '#features/webhooks/settings/delete-webhook.ts'
import { enableWebhook } from '#features/webhooks/settings/enable-webhook.ts'
import { getWebhook } from '#features/webhooks/settings/get-webhook.ts'
import { listWebhooks } from '#features/webhooks/settings/list-webhooks.ts'
import { replaceWebhook } from '#features/webhooks/settings/replace-webhook.ts'
import { replaceWebhookSecret } from '#features/webhooks/settings/replace-webhook-secret.ts'
import { withUrl, withUrls } from './answer/image-answer.ts'
import { preferenceUrl } from './answer/preference-url.ts'
import { readImageBody } from './read/image-body.ts'
import { rawSegments } from './read/raw-segments.ts'
import { uploadCampaignCodes, uploadGlobalCodes } from './read/upload-codes.ts'
import {
  alias,
  audited,
  del,
  download,
  get,
  getWithEffect,
  lines,
  post,
  postOutward,
  put,
  putOutward,
  type Route,
} from './route.ts'

/** What a back end calls. Every path of the specification's section 4, then what was added to it. */
export const apiRoutes: readonly Route[] = [
  // 4.1–4.3
  post('/api/push/toUsers', ['push'], contract.toUsers, (ctx, { body, query }) =>
    query.dryRun ? previewSend(ctx, { sent: body, product: 'message', to: 'users' }) : sendToUsers(ctx, body),
  ),
  post('/api/push/notifyUsers', ['push'], contract.notifyUsers, (ctx, { body, query }) =>
    query.dryRun ? previewSend(ctx, { sent: body, product: 'notification', to: 'either' }) : notifyUsers(ctx, body),
  ),
  post('/api/push/byQuery', ['push'], contract.byQuery, (ctx, { body, query }) =>
    query.dryRun ? previewSend(ctx, { sent: body, product: 'message', to: 'group' }) : sendByQuery(ctx, body),
  ),

  // 4.4
  getWithEffect('/api/installations/addTag/:userId/:tag', ['tags'], contract.addTag, (ctx, { request }) => {
    const [userId, tag] = rawSegments(request, contract.addTag.params)
    return addTags(ctx, { userId, tags: [tag] })
  }),
  post('/api/installations/addTags', ['tags', 'client'], contract.addTags, (ctx, { body }) => addTags(ctx, body)),
  post('/api/installations/addValueTag', ['tags', 'client'], contract.addValueTag, (ctx, { body }) =>
    addValueTag(ctx, body),
  ),
  getWithEffect('/api/installations/removeTag/:userId/:tag', ['tags'], contract.removeTag, (ctx, { request }) => {
    const [userId, tag] = rawSegments(request, contract.removeTag.params)
    return removeTags(ctx, { userId, tags: [tag] })
  }),
  post('/api/installations/removeTags', ['tags', 'client'], contract.removeTags, (ctx, { body }) =>
    removeTags(ctx, body),
  ),
  post('/api/installations/removeValueTag', ['tags', 'client'], contract.removeValueTag, (ctx, { body }) =>
    removeTags(ctx, { ...body, tags: [body.tag] }),
  ),

  // 4.5–4.8
  post('/api/installations/track', ['events'], contract.track, (ctx, { body }) => trackEvent(ctx, body)),
  post('/api/installations/trackPurchase', ['events'], contract.trackPurchase, (ctx, { body }) =>
    trackPurchase(ctx, body),
  ),
  post('/api/installations/trackRevenue', ['events'], contract.trackRevenue, (ctx, { body }) =>
    trackRevenue(ctx, body),
  ),
  post('/api/installations/attributes', ['events'], contract.attributes, (ctx, { body }) => setAttributes(ctx, body)),

  // 4.9–4.10
  post('/api/containers/updatePromoCodes/:trackId', ['promo'], contract.updatePromoCodes, (ctx, input) =>
    uploadCampaignCodes(ctx, input),
  ),
  post('/api/containers/updateGlobalPromoCodes', ['promo'], contract.updateGlobalPromoCodes, (ctx, input) =>
    uploadGlobalCodes(ctx, input),
  ),

  // Sending, further
  post('/api/push/notifyToUsers', ['push'], contract.notifyToUsers, (ctx, { body, query }) =>
    query.dryRun ? previewSend(ctx, { sent: body, product: 'notification', to: 'users' }) : notifyToUsers(ctx, body),
  ),
  post('/api/push/notifyUser/:userId', ['push'], contract.notifyUser, (ctx, { body, params, query }) => {
    const user = params.userId
    return query.dryRun
      ? previewSend(ctx, { sent: { user, notification: body }, product: 'notification', to: 'users' })
      : notifyUser(ctx, { userId: user, notification: body })
  }),
  get('/api/messages', ['push'], contract.messages, (ctx, { query }) => findMessages(ctx, query)),
  alias(
    get('/api/messages/fetchById/:id', ['push'], contract.messageById, (ctx, { params }) => getMessage(ctx, params)),
  ),
  get('/api/messages/:id', ['push'], contract.messageById, (ctx, { params }) => getMessage(ctx, params)),
  get('/api/messages/:id/deliveries', ['push'], contract.deliveries, (ctx, { params, query }) =>
    listDeliveries(ctx, { ...query, ...params }),
  ),
  postOutward('/api/messages/:id/pause', ['push'], contract.pauseMessage, (ctx, { params }) =>
    pauseMessage(ctx, params),
  ),
  postOutward('/api/messages/:id/recall', ['push'], contract.recallMessage, (ctx, { params }) =>
    recallMessage(ctx, params),
  ),
  post('/api/messages/:id/resume', ['push'], contract.resumeMessage, (ctx, { params }) => resumeMessage(ctx, params)),
  get('/api/messages/:id/explain', ['push'], contract.explainMessage, (ctx, { params, query }) =>
    explainMessage(ctx, { ...query, ...params }),
  ),
  get('/api/messages/:id/variants', ['push'], contract.messageVariants, (ctx, { params }) =>
    compareMessage(ctx, params),
  ),
  get('/api/scheduled', ['push'], contract.scheduledMessages, (ctx, { query }) => listScheduled(ctx, query)),
  get('/api/series', ['push'], contract.listSeries, (ctx, { query }) => listSeries(ctx, query)),
  get('/api/series/:id', ['push'], contract.getSeries, (ctx, { params }) => getSeries(ctx, params)),
  put('/api/series/:id', ['push'], contract.changeSeries, (ctx, { params, body }) =>
    editSeries(ctx, { ...params, change: body }),
  ),
  post('/api/series/:id/pause', ['push'], contract.pauseSeries, (ctx, { params }) => pauseSeries(ctx, params)),
  post('/api/series/:id/resume', ['push'], contract.resumeSeries, (ctx, { params }) => resumeSeries(ctx, params)),
  post('/api/series/:id/skipNext', ['push'], contract.skipNext, (ctx, { params }) => skipNext(ctx, params)),
  post('/api/series/:id/end', ['push'], contract.endSeries, (ctx, { params }) => endSeries(ctx, params)),
  put('/api/messages/:id', ['push'], contract.changeScheduled, (ctx, { params, body }) =>
    editScheduled(ctx, { ...params, change: body }),
  ),
  del('/api/messages/:id', ['push'], contract.cancelMessage, (ctx, { params }) => cancelMessage(ctx, params)),
  get('/api/sending', ['push'], contract.getSending, (ctx) => getSending(ctx)),
  audited(postOutward('/api/sending/stop', ['push'], contract.stopAllSending, (ctx) => stopAllSending(ctx))),
  audited(post('/api/sending/resume', ['push'], contract.resumeAllSending, (ctx) => resumeAllSending(ctx))),

  // Installations, further
  get('/api/installations/fetchById/:id', ['tags', 'events'], contract.installationById, (ctx, { params }) =>
    getInstallation(ctx, params),
  ),
  get('/api/installations/fetchByUserId/:userId', ['tags', 'events'], contract.installationsOfUser, (ctx, { params }) =>
    listInstallationsOfUser(ctx, params),
  ),
  get('/api/installations/tags', ['tags'], contract.tags, (ctx, { query }) => listTags(ctx, query)),
  get('/api/installations/channels', ['tags', 'push'], contract.channels, (ctx, { query }) => listChannels(ctx, query)),
  get(
    '/api/installations/v1/uninstall/report/:from/:to',
    ['events'],
    contract.uninstallReport,
    (ctx, { params, query }) => reportUninstalls(ctx, { ...query, ...params }),
  ),

  get('/api/uninstalls/held', ['events'], contract.heldUninstalls, (ctx) => listHeldUninstalls(ctx)),
  post('/api/uninstalls/held/:provider', [], contract.settleHeldUninstalls, (ctx, { params, body }) =>
    settleHeldUninstalls(ctx, { ...params, isGone: body.decision === 'apply' }),
  ),

  // Events, further
  post('/api/installations/trackBulk', ['events'], contract.trackBulk, (ctx, { body }) => trackBulk(ctx, body)),
  get('/api/events', ['events'], contract.events, (ctx, { query }) => listEvents(ctx, query)),

  // Segments and campaigns
  post('/api/segments', ['push'], contract.createSegment, (ctx, { body }) => createSegment(ctx, body)),
  post('/api/segments/count', ['push', 'read'], contract.countSegment, (ctx, { body }) => countSegment(ctx, body)),
  get('/api/segments', ['push'], contract.listSegments, (ctx) => listSegments(ctx)),
  get('/api/segments/:id', ['push'], contract.getSegment, (ctx, { params }) => getSegment(ctx, params)),
  put('/api/segments/:id', ['push'], contract.replaceSegment, (ctx, { params, body }) =>
    replaceSegment(ctx, { ...body, ...params }),
  ),
  del('/api/segments/:id', ['push'], contract.deleteSegment, (ctx, { params }) => deleteSegment(ctx, params)),
  post('/api/campaigns', ['push'], contract.createCampaign, (ctx, { body }) => createCampaign(ctx, body)),
  get('/api/campaigns', ['push'], contract.listCampaigns, (ctx, { query }) => listCampaigns(ctx, query)),
  get('/api/campaigns/:trackId', ['push'], contract.getCampaign, (ctx, { params }) => getCampaignCounts(ctx, params)),

  // Images
  post('/api/images', ['push'], contract.uploadImage, async (ctx, { request, baseUrl }) =>
    withUrl(await storeImage(ctx, readImageBody(request)), baseUrl()),
  ),
  get('/api/images', ['push'], contract.listImages, async (ctx, { query, baseUrl }) =>
    withUrls(await listImages(ctx, query), baseUrl()),
  ),
  del('/api/images/:hash', ['push'], contract.deleteImage, (ctx, { params }) => deleteImage(ctx, params)),

  // Templates
  post('/api/templates', ['push'], contract.createTemplate, (ctx, { body }) => createTemplate(ctx, body)),
  get('/api/templates', ['push'], contract.listTemplates, (ctx, { query }) => listTemplates(ctx, query)),
  get('/api/templates/:id', ['push'], contract.getTemplate, (ctx, { params }) => getTemplate(ctx, params)),
  put('/api/templates/:id', ['push'], contract.replaceTemplate, (ctx, { params, body }) =>
    replaceTemplate(ctx, { ...body, ...params }),
  ),
  del('/api/templates/:id', ['push'], contract.deleteTemplate, (ctx, { params }) => deleteTemplate(ctx, params)),

  // Categories and preferences
  audited(post('/api/categories', ['push'], contract.createCategory, (ctx, { body }) => createCategory(ctx, body))),
  get('/api/categories', ['push', 'read'], contract.listCategories, (ctx) => listCategories(ctx)),
  audited(
    put('/api/categories/:id', ['push'], contract.replaceCategory, (ctx, { params, body }) =>
      replaceCategory(ctx, { ...body, ...params }),
    ),
  ),
  audited(
    del('/api/categories/:id', ['push'], contract.deleteCategory, (ctx, { params }) => deleteCategory(ctx, params)),
  ),
  get(
    '/api/users/:userId/preferences',
    ['push', 'read'],
    contract.getPreferences,
    async (ctx, { params, baseUrl }) => ({
      ...(await getPreferences(ctx, params)),
      url: preferenceUrl(ctx, params, baseUrl()),
    }),
  ),
  put('/api/users/:userId/preferences', ['push'], contract.changePreferences, (ctx, { params, body }) =>
    changePreferences(ctx, { ...body, ...params }),
  ),

  // Webhooks
  audited(postOutward('/api/webhooks', [], contract.createWebhook, (ctx, { body }) => createWebhook(ctx, body))),
  get('/api/webhooks', [], contract.listWebhooks, (ctx) => listWebhooks(ctx)),
  get('/api/webhooks/:id', [], contract.getWebhook, (ctx, { params }) => getWebhook(ctx, params)),
  audited(
    putOutward('/api/webhooks/:id', [], contract.replaceWebhook, (ctx, { params, body }) =>
      replaceWebhook(ctx, { ...body, ...params }),
    ),
  ),
  audited(
    post('/api/webhooks/:id/secret', [], contract.replaceWebhookSecret, (ctx, { params }) =>
      replaceWebhookSecret(ctx, params),
    ),
  ),
  audited(
    post('/api/webhooks/:id/enable', [], contract.enableWebhook, (ctx, { params }) => enableWebhook(ctx, params)),
  ),
  postOutward('/api/webhooks/:id/test', [], contract.testWebhook, (ctx, { params }) => testWebhook(ctx, params)),
  get('/api/webhooks/:id/attempts', [], contract.webhookAttempts, (ctx, { params, query }) =>
    listWebhookAttempts(ctx, { ...query, ...params }),
  ),
  audited(del('/api/webhooks/:id', [], contract.deleteWebhook, (ctx, { params }) => deleteWebhook(ctx, params))),

  // The app, its providers, and what a person should look at
  get('/api/app', [], contract.getApp, (ctx) => getOwnApp(ctx)),
  audited(put('/api/app', [], contract.changeApp, (ctx, { body }) => changeApp(ctx, body))),
  audited(post('/api/app/identitySecret', [], contract.replaceIdentitySecret, (ctx) => replaceIdentitySecret(ctx))),
  get('/api/usage', [], contract.getUsage, (ctx, { query }) => readUsage(ctx, query)),
  get('/api/providers', [], contract.listProviders, (ctx) => listProviders(ctx)),
  audited(
    putOutward('/api/providers/:provider', [], contract.setProvider, (ctx, { params, body }) =>
      setProvider(ctx, { ...params, sent: body }),
    ),
  ),
  postOutward('/api/providers/:provider/check', [], contract.checkProvider, (ctx, { params }) =>
    checkProvider(ctx, params),
  ),
  audited(
    post('/api/providers/:provider/resume', [], contract.resumeProvider, (ctx, { params }) =>
      resumeProvider(ctx, params),
    ),
  ),
  audited(
    del('/api/providers/:provider', [], contract.removeProvider, (ctx, { params, query }) =>
      removeProvider(ctx, { ...query, ...params }),
    ),
  ),
  get('/api/alerts', [], contract.listAlerts, (ctx, { query }) => listAlerts(ctx, query)),
  del('/api/alerts/:id', [], contract.clearAlert, (ctx, { params }) => clearAlert(ctx, params)),

  // Data
  lines('/api/stream', [], contract.stream, (ctx, { query, durations, isStillAllowed }) =>
    openStream(ctx, query, { durations, isStillAllowed }),
  ),
  download('/api/exports/users', [], contract.exportUsers, (ctx, { query }) => exportUsers(ctx, query)),
  download('/api/exports/events', [], contract.exportEvents, (ctx, { query }) => exportEvents(ctx, query)),
  download('/api/exports/deliveries', [], contract.exportDeliveries, (ctx, { query }) => exportDeliveries(ctx, query)),

  // One user's data
  get('/api/users/:userId/export', [], contract.exportUser, (ctx, { params }) => exportUser(ctx, params)),
  del('/api/users/:userId', [], contract.deleteUser, (ctx, { params }) => deleteUser(ctx, params)),
]
