import * as contract from '@peyk/contract'
import { changeOrigins } from '#features/accounts/access-tokens/change-origins.ts'
import { createToken } from '#features/accounts/access-tokens/create-token.ts'
import { listTokens } from '#features/accounts/access-tokens/list-tokens.ts'
import { revokeToken } from '#features/accounts/access-tokens/revoke-token.ts'
import { clearAlert } from '#features/accounts/alerts/clear-alert.ts'
import { changeApp } from '#features/accounts/apps/change-app.ts'
import { changeChecklist } from '#features/accounts/apps/change-checklist.ts'
import { changeRetention } from '#features/accounts/apps/change-retention.ts'
import { getOwnApp } from '#features/accounts/apps/get-own-app.ts'
import { getRetention } from '#features/accounts/apps/get-retention.ts'
import { replaceIdentitySecret } from '#features/accounts/apps/replace-identity-secret.ts'
import { listAudit } from '#features/accounts/audit/list-audit.ts'
import { changeRole } from '#features/accounts/members/change-role.ts'
import { inviteMember } from '#features/accounts/members/invite-member.ts'
import { listMembers } from '#features/accounts/members/list-members.ts'
import { removeMember } from '#features/accounts/members/remove-member.ts'
import { renewMemberLink } from '#features/accounts/members/renew-member-link.ts'
import { listProviders } from '#features/accounts/providers/list-providers.ts'
import { removeProvider } from '#features/accounts/providers/remove-provider.ts'
import { createCampaign } from '#features/campaigns/create-campaign.ts'
import { createCategory } from '#features/categories/create-category.ts'
import { deleteCategory } from '#features/categories/delete-category.ts'
import { listCategories } from '#features/categories/list-categories.ts'
import { changePreferences } from '#features/categories/preferences/change-preferences.ts'
import { getPreferences } from '#features/categories/preferences/get-preferences.ts'
import { replaceCategory } from '#features/categories/replace-category.ts'
import { approveSend } from '#features/composer/approvals/approve-send.ts'
import { declineSend } from '#features/composer/approvals/decline-send.ts'
import { getApproval } from '#features/composer/approvals/get-approval.ts'
import { listApprovals } from '#features/composer/approvals/list-approvals.ts'
import { moveScheduled } from '#features/composer/changes/move-scheduled.ts'
import { countReceivers } from '#features/composer/count-receivers.ts'
import { deleteDraft } from '#features/composer/drafts/delete-draft.ts'
import { getDraft } from '#features/composer/drafts/get-draft.ts'
import { listDrafts } from '#features/composer/drafts/list-drafts.ts'
import { renameDraft } from '#features/composer/drafts/rename-draft.ts'
import { saveDraft } from '#features/composer/drafts/save-draft.ts'
import { sendDraft } from '#features/composer/drafts/send-draft.ts'
import { findPeople } from '#features/composer/find-people.ts'
import { getCodesLeft } from '#features/composer/get-codes-left.ts'
import { getSamplePerson } from '#features/composer/get-sample-person.ts'
import { listWantedValues } from '#features/composer/list-wanted-values.ts'
import { planSend } from '#features/composer/plan-send.ts'
import { renderMessage } from '#features/composer/render-message.ts'
import { cancelMessage } from '#features/deliveries/control/cancel-message.ts'
import { getSending } from '#features/deliveries/control/get-sending.ts'
import { pauseMessage } from '#features/deliveries/control/pause-message.ts'
import { resumeAllSending } from '#features/deliveries/control/resume-all-sending.ts'
import { resumeMessage } from '#features/deliveries/control/resume-message.ts'
import { stopAllSending } from '#features/deliveries/control/stop-all-sending.ts'
import { checkProvider } from '#features/deliveries/provider-setup/check-provider.ts'
import { resumeProvider } from '#features/deliveries/provider-setup/resume-provider.ts'
import { setProvider } from '#features/deliveries/provider-setup/set-provider.ts'
import { listDeliveries } from '#features/deliveries/read/list-deliveries.ts'
import { recallMessage } from '#features/deliveries/recall/recall-message.ts'
import { sendTest } from '#features/deliveries/send-test.ts'
import { settleHeldUninstalls } from '#features/deliveries/token-checks/settle-held-uninstalls.ts'
import { listEvents } from '#features/events/read/list-events.ts'
import { explainMessage } from '#features/explain/explain-message.ts'
import { deleteImage } from '#features/images/delete-image.ts'
import { listImages } from '#features/images/list-images.ts'
import { storeImage } from '#features/images/store-image.ts'
import { setAttributes } from '#features/installations/attributes/set-attributes.ts'
import { listChannels } from '#features/installations/channels/list-channels.ts'
import { addTags } from '#features/installations/tags/add-tags.ts'
import { addValueTag } from '#features/installations/tags/add-value-tag.ts'
import { removeTags } from '#features/installations/tags/remove-tags.ts'
import { listScheduled } from '#features/messages/schedule/list-scheduled.ts'
import { listMoments } from '#features/messages/series/course/list-moments.ts'
import { endSeries } from '#features/messages/series/end-series.ts'
import { getSeries } from '#features/messages/series/get-series.ts'
import { listSeries } from '#features/messages/series/list-series.ts'
import { pauseSeries } from '#features/messages/series/pause-series.ts'
import { resumeSeries } from '#features/messages/series/resume-series.ts'
import { skipNext } from '#features/messages/series/skip-next.ts'
import { createTemplate } from '#features/messages/templates/create-template.ts'
import { deleteTemplate } from '#features/messages/templates/delete-template.ts'
import { getTemplate } from '#features/messages/templates/get-template.ts'
import { listTemplates } from '#features/messages/templates/list-templates.ts'
import { replaceTemplate } from '#features/messages/templates/replace-template.ts'
import { deleteUser } from '#features/privacy/delete-user.ts'
import { exportUser } from '#features/privacy/export-user.ts'
import { countSegment } from '#features/segments/count/count-segment.ts'
import { exportSegment } from '#features/segments/count/export-segment.ts'
import { sampleSegment } from '#features/segments/count/sample-segment.ts'
import { createSegment } from '#features/segments/saved/create-segment.ts'
import { deleteSegment } from '#features/segments/saved/delete-segment.ts'
import { listSizedSegments } from '#features/segments/saved/list-sized-segments.ts'
import { replaceSegment } from '#features/segments/saved/replace-segment.ts'
import { listSegmentFields } from '#features/segments/suggest/list-segment-fields.ts'
import { suggestValues } from '#features/segments/suggest/suggest-values.ts'
import { readCalendar } from '#features/statistics/calendar/read-calendar.ts'
import { describeCampaign } from '#features/statistics/campaigns/describe-campaign.ts'
import { listCampaignLines } from '#features/statistics/campaigns/list-campaign-lines.ts'
import { listEventNames } from '#features/statistics/events/list-event-names.ts'
import { readEvent } from '#features/statistics/events/read-event.ts'
import { describeMessage } from '#features/statistics/message-lines/describe-message.ts'
import { listMessageLines } from '#features/statistics/message-lines/list-message-lines.ts'
import { readChecklist } from '#features/statistics/overview/read-checklist.ts'
import { readOverview } from '#features/statistics/overview/read-overview.ts'
import { findGivenCodes } from '#features/statistics/promo/find-given-codes.ts'
import { showPromo } from '#features/statistics/promo/show-promo.ts'
import { getSegmentDetail } from '#features/statistics/segments/get-segment-detail.ts'
import { exportUninstalls } from '#features/statistics/uninstalls/export-uninstalls.ts'
import { listUninstalls } from '#features/statistics/uninstalls/list-uninstalls.ts'
import { readUsage } from '#features/statistics/usage/read-usage.ts'
import { findUsers } from '#features/statistics/users/find-users.ts'
import { getUserProfile } from '#features/statistics/users/get-user-profile.ts'
import { listUserCodes } from '#features/statistics/users/list-user-codes.ts'
import { listUserMessages } from '#features/statistics/users/list-user-messages.ts'
import { exportDeliveries } from '#features/transfer/exports/export-deliveries.ts'
import { exportEventsOfDays } from '#features/transfer/exports/export-events-of-days.ts'
import { exportUsers } from '#features/transfer/exports/export-users.ts'
import { listWebhookAttempts } from '#features/webhooks/calls/list-webhook-attempts.ts'
import { testWebhook } from '#features/webhooks/calls/test-webhook.ts'
import { createWebhook } from '#features/webhooks/settings/create-webhook.ts'
import { deleteWebhook } from '#features/webhooks/settings/delete-webhook.ts'
import { enableWebhook } from '#features/webhooks/settings/enable-webhook.ts'
import { listWebhooks } from '#features/webhooks/settings/list-webhooks.ts'
import { replaceWebhook } from '#features/webhooks/settings/replace-webhook.ts'
import { replaceWebhookSecret } from '#features/webhooks/settings/replace-webhook-secret.ts'
import { withUrl, withUrls } from './answer/image-answer.ts'
import { preferenceUrl } from './answer/preference-url.ts'
import { openLive } from './panel/live.ts'
import {
  addPhone,
  readCrowd,
  readFaultPresets,
  removePhone,
  setCrowd,
  setFaultPreset,
  usePhone,
  watchPhones,
} from './panel/panel-phones.ts'
import {
  ask,
  del,
  file,
  get,
  keep,
  look,
  type PanelRoute,
  post,
  postOutward,
  put,
  putOutward,
  stream,
  upload,
} from './panel/panel-route.ts'
import {
  enterByLink,
  enterByPassword,
  leave,
  leaveElsewhere,
  type MemberVisit,
  replacePassword,
  showSession,
  showSessions,
  type Visit,
} from './panel/panel-session.ts'
import { showNewToken, showToken } from './panel/show-token.ts'
import { readImageBody } from './read/image-body.ts'
import { uploadCampaignCodes, uploadGlobalCodes } from './read/upload-codes.ts'
import type { Method } from './route.ts'

export type SessionRoute = { method: Method; path: string; endpoint: contract.Endpoint } & (
  | { needsSession: false; run(visit: Visit<never>): Promise<unknown> }
  | { needsSession: true; run(visit: MemberVisit<never>): Promise<unknown> }
)

/** Signing in and out, before an app is chosen: under /panel/api. */
export const sessionRoutes: readonly SessionRoute[] = [
  // session
  { method: 'POST', path: '/session', endpoint: contract.panelSignIn, needsSession: false, run: enterByPassword },
  {
    method: 'POST',
    path: '/session/link',
    endpoint: contract.panelSignInByLink,
    needsSession: false,
    run: enterByLink,
  },
  { method: 'GET', path: '/session', endpoint: contract.panelSession, needsSession: true, run: showSession },
  { method: 'DELETE', path: '/session', endpoint: contract.panelSignOut, needsSession: false, run: leave },
  { method: 'GET', path: '/sessions', endpoint: contract.panelSessions, needsSession: true, run: showSessions },
  { method: 'DELETE', path: '/sessions', endpoint: contract.panelEndSessions, needsSession: true, run: leaveElsewhere },
  {
    method: 'PUT',
    path: '/password',
    endpoint: contract.panelChangePassword,
    needsSession: true,
    run: replacePassword,
  },
]

/** What the panel asks and does, under /panel/api/apps/<label>: the path, the ability it takes, its endpoint, its verb. */
export const panelRoutes: readonly PanelRoute[] = [
  // overview
  look('/overview', 'view', contract.panelOverview, (ctx, { query }) => readOverview(ctx, query)),
  get('/checklist', 'view', contract.panelChecklist, (ctx) => readChecklist(ctx)),
  put('/checklist', 'settings', contract.panelChangeChecklist, (ctx, { body }) => changeChecklist(ctx, body)),
  del('/alerts/:id', 'operate', contract.clearAlert, (ctx, { params }) => clearAlert(ctx, params)),
  post('/uninstalls/held/:provider', 'operate', contract.settleHeldUninstalls, (ctx, { params, body }) =>
    settleHeldUninstalls(ctx, { ...params, isGone: body.decision === 'apply' }),
  ),

  // send
  ask('/send/count', 'send-to-one', contract.panelCountReceivers, (ctx, { body }) => countReceivers(ctx, body)),
  ask('/send/plan', 'send-to-one', contract.panelPlanSend, (ctx, { body }) => planSend(ctx, body)),
  ask('/send/values', 'send-to-one', contract.panelWantedValues, (ctx, { body }) => listWantedValues(ctx, body)),
  ask('/send/render', 'send-to-one', contract.panelRenderMessage, (ctx, { body }) => renderMessage(ctx, body)),
  ask('/send/person', 'send-to-one', contract.panelSamplePerson, (ctx, { body }) => getSamplePerson(ctx, body)),
  get('/send/people', 'send-to-one', contract.panelFindPeople, (ctx, { query }) => findPeople(ctx, query)),
  get('/send/codes', 'send-to-one', contract.panelCodesLeft, (ctx, { query }) => getCodesLeft(ctx, query)),
  ask('/send/moments', 'send-to-one', contract.panelMoments, (ctx, { body }) => listMoments(ctx, body)),
  postOutward('/send/test', 'send-to-one', contract.panelTestSend, (ctx, { body }) => sendTest(ctx, body)),
  post('/send', 'send-to-one', contract.panelSend, (ctx, { body }) => sendDraft(ctx, body)),
  get('/approvals', 'view', contract.panelApprovals, (ctx) => listApprovals(ctx)),
  get('/approvals/:id', 'view', contract.panelApproval, (ctx, { params }) => getApproval(ctx, params)),
  post('/approvals/:id/approve', 'send-to-many', contract.panelApprove, (ctx, { params, body }) =>
    approveSend(ctx, { ...body, ...params }),
  ),
  post('/approvals/:id/decline', 'send-to-one', contract.panelDecline, (ctx, { params, body }) =>
    declineSend(ctx, { ...body, ...params }),
  ),
  post('/images', 'send-to-one', contract.uploadImage, async (ctx, { request, baseUrl }) =>
    withUrl(await storeImage(ctx, readImageBody(request)), baseUrl()),
  ),
  get('/drafts', 'send-to-one', contract.panelDrafts, (ctx) => listDrafts(ctx)),
  get('/drafts/:id', 'send-to-one', contract.panelDraft, (ctx, { params }) => getDraft(ctx, params)),
  keep('/drafts/:id', 'send-to-one', contract.panelSaveDraft, (ctx, { params, body }) =>
    saveDraft(ctx, { ...body, ...params }),
  ),
  put('/drafts/:id/name', 'send-to-one', contract.panelRenameDraft, (ctx, { params, body }) =>
    renameDraft(ctx, { ...body, ...params }),
  ),
  del('/drafts/:id', 'send-to-one', contract.panelDeleteDraft, (ctx, { params }) => deleteDraft(ctx, params)),

  // templates
  get('/templates', 'view', contract.listTemplates, (ctx, { query }) => listTemplates(ctx, query)),
  get('/templates/:id', 'view', contract.getTemplate, (ctx, { params }) => getTemplate(ctx, params)),
  post('/templates', 'edit-campaigns', contract.createTemplate, (ctx, { body }) => createTemplate(ctx, body)),
  put('/templates/:id', 'edit-campaigns', contract.replaceTemplate, (ctx, { params, body }) =>
    replaceTemplate(ctx, { ...body, ...params }),
  ),
  del('/templates/:id', 'edit-campaigns', contract.deleteTemplate, (ctx, { params }) => deleteTemplate(ctx, params)),

  // categories
  get('/categories', 'view', contract.listCategories, (ctx) => listCategories(ctx)),
  post('/categories', 'settings', contract.createCategory, (ctx, { body }) => createCategory(ctx, body)),
  put('/categories/:id', 'settings', contract.replaceCategory, (ctx, { params, body }) =>
    replaceCategory(ctx, { ...body, ...params }),
  ),
  del('/categories/:id', 'settings', contract.deleteCategory, (ctx, { params }) => deleteCategory(ctx, params)),

  // messages
  get('/messages', 'view', contract.panelMessages, (ctx, { query }) => listMessageLines(ctx, query)),
  get('/scheduled', 'view', contract.scheduledMessages, (ctx, { query }) => listScheduled(ctx, query)),
  get('/calendar', 'view', contract.panelCalendar, (ctx, { query }) => readCalendar(ctx, query)),
  put('/messages/:id/time', 'operate', contract.panelMoveScheduled, (ctx, { params, body: { sendAt } }) =>
    moveScheduled(ctx, { ...params, sendAt }),
  ),
  get('/series', 'view', contract.listSeries, (ctx, { query }) => listSeries(ctx, query)),
  get('/series/:id', 'view', contract.getSeries, (ctx, { params }) => getSeries(ctx, params)),
  post('/series/:id/pause', 'operate', contract.pauseSeries, (ctx, { params }) => pauseSeries(ctx, params)),
  post('/series/:id/resume', 'operate', contract.resumeSeries, (ctx, { params }) => resumeSeries(ctx, params)),
  post('/series/:id/skipNext', 'operate', contract.skipNext, (ctx, { params }) => skipNext(ctx, params)),
  post('/series/:id/end', 'operate', contract.endSeries, (ctx, { params }) => endSeries(ctx, params)),
  get('/messages/:id', 'view', contract.panelMessage, (ctx, { params }) => describeMessage(ctx, params)),
  look('/messages/:id/deliveries', 'view', contract.deliveries, (ctx, { params, query }) =>
    listDeliveries(ctx, { ...query, ...params }),
  ),
  file('/messages/:id/deliveries.csv', 'export', contract.panelDeliveriesFile, (ctx, { params }) =>
    exportDeliveries(ctx, { messageId: params.id }),
  ),
  file('/messages/:id/deliveries.parquet', 'export', contract.panelDeliveriesFile, (ctx, { params }) =>
    exportDeliveries(ctx, { messageId: params.id, format: 'parquet' }),
  ),
  get('/messages/:id/explain', 'view', contract.explainMessage, (ctx, { params, query }) =>
    explainMessage(ctx, { ...query, ...params }),
  ),
  postOutward('/messages/:id/pause', 'operate', contract.pauseMessage, (ctx, { params }) => pauseMessage(ctx, params)),
  postOutward('/messages/:id/recall', 'operate', contract.recallMessage, (ctx, { params }) =>
    recallMessage(ctx, params),
  ),
  post('/messages/:id/resume', 'operate', contract.resumeMessage, (ctx, { params }) => resumeMessage(ctx, params)),
  del('/messages/:id', 'operate', contract.cancelMessage, (ctx, { params }) => cancelMessage(ctx, params)),
  get('/sending', 'view', contract.getSending, (ctx) => getSending(ctx)),
  postOutward('/sending/stop', 'operate', contract.stopAllSending, (ctx) => stopAllSending(ctx)),
  post('/sending/resume', 'operate', contract.resumeAllSending, (ctx) => resumeAllSending(ctx)),
  stream('/live', 'view', contract.panelLive, (ctx, input) => openLive(ctx, input)),

  // campaigns
  look('/campaigns', 'view', contract.panelCampaigns, (ctx, { query }) => listCampaignLines(ctx, query)),
  post('/campaigns', 'edit-campaigns', contract.createCampaign, (ctx, { body }) => createCampaign(ctx, body)),
  look('/campaigns/:trackId', 'view', contract.panelCampaign, (ctx, { params }) => describeCampaign(ctx, params)),
  upload('/campaigns/:trackId/codes', 'edit-campaigns', contract.updatePromoCodes, (ctx, input) =>
    uploadCampaignCodes(ctx, input),
  ),

  // segments
  get('/segments', 'view', contract.panelSegments, (ctx) => listSizedSegments(ctx)),
  get('/segments/fields', 'view', contract.panelSegmentFields, (ctx) => listSegmentFields(ctx)),
  get('/segments/suggestions', 'view', contract.panelSegmentSuggestions, (ctx, { query }) => suggestValues(ctx, query)),
  ask('/segments/count', 'view', contract.countSegment, (ctx, { body }) => countSegment(ctx, body)),
  ask('/segments/sample', 'view', contract.panelSampleSegment, (ctx, { body }) => sampleSegment(ctx, body)),
  post('/segments', 'edit-segments', contract.createSegment, (ctx, { body }) => createSegment(ctx, body)),
  get('/segments/:id', 'view', contract.panelSegment, (ctx, { params, query }) =>
    getSegmentDetail(ctx, { ...query, ...params }),
  ),
  put('/segments/:id', 'edit-segments', contract.replaceSegment, (ctx, { params, body }) =>
    replaceSegment(ctx, { ...body, ...params }),
  ),
  del('/segments/:id', 'edit-segments', contract.deleteSegment, (ctx, { params }) => deleteSegment(ctx, params)),
  file('/segments/:id/users.csv', 'export', contract.panelSegmentUsers, (ctx, { params }) =>
    exportSegment(ctx, params),
  ),

  // users
  file('/users.csv', 'export', contract.panelUsersFile, (ctx) => exportUsers(ctx, {})),
  file('/users.parquet', 'export', contract.panelUsersFile, (ctx) => exportUsers(ctx, { format: 'parquet' })),
  get('/users', 'view', contract.panelUsers, (ctx, { query }) => findUsers(ctx, query)),
  get('/users/:userId', 'view', contract.panelUser, (ctx, { params }) => getUserProfile(ctx, params)),
  look('/users/:userId/events', 'view', contract.panelUserEvents, (ctx, { params, query }) =>
    listEvents(ctx, { ...query, ...params }),
  ),
  look('/users/:userId/messages', 'view', contract.panelUserMessages, (ctx, { params, query }) =>
    listUserMessages(ctx, { ...query, ...params }),
  ),
  get('/users/:userId/codes', 'view', contract.panelUserCodes, (ctx, { params }) => listUserCodes(ctx, params)),
  post('/users/:userId/tags', 'edit-users', contract.panelAddTag, (ctx, { params, body: { tag, value } }) => {
    const { userId } = params
    return value === undefined ? addTags(ctx, { userId, tags: [tag] }) : addValueTag(ctx, { userId, tag, value })
  }),
  post('/users/:userId/tags/remove', 'edit-users', contract.panelRemoveTag, (ctx, { params, body }) =>
    removeTags(ctx, { ...params, tags: [body.tag] }),
  ),
  post('/users/:userId/attributes', 'edit-users', contract.panelSetAttributes, (ctx, { params, body }) =>
    setAttributes(ctx, { ...body, ...params }),
  ),
  get('/users/:userId/preferences', 'view', contract.getPreferences, async (ctx, { params, baseUrl }) => ({
    ...(await getPreferences(ctx, params)),
    url: preferenceUrl(ctx, params, baseUrl()),
  })),
  put('/users/:userId/preferences', 'edit-users', contract.changePreferences, (ctx, { params, body }) =>
    changePreferences(ctx, { ...body, ...params }),
  ),
  look('/users/:userId/export', 'export', contract.exportUser, (ctx, { params }) => exportUser(ctx, params)),
  del('/users/:userId', 'delete-users', contract.deleteUser, (ctx, { params }) => deleteUser(ctx, params)),

  // events
  look('/events/names', 'view', contract.panelEventNames, (ctx, { query }) => listEventNames(ctx, query)),
  look('/events/one', 'view', contract.panelEvent, (ctx, { query }) => readEvent(ctx, query)),
  // The first one makes the indexes by time, which a replica cannot.
  {
    ...file('/events.csv', 'export', contract.panelEventsFile, (ctx, { query }) => exportEventsOfDays(ctx, query)),
    mayLag: false,
  },
  {
    ...file('/events.parquet', 'export', contract.panelEventsFile, (ctx, { query }) =>
      exportEventsOfDays(ctx, { ...query, format: 'parquet' }),
    ),
    mayLag: false,
  },
  look('/events', 'view', contract.events, (ctx, { query }) => listEvents(ctx, query)),

  // channels
  look('/channels', 'view', contract.channels, (ctx, { query }) => listChannels(ctx, query)),

  // promo
  get('/promo', 'view', contract.panelPromo, (ctx, { query }) => showPromo(ctx, query)),
  look('/promo/codes', 'view', contract.panelCodes, (ctx, { query }) => findGivenCodes(ctx, query)),
  upload('/promo/global', 'edit-campaigns', contract.updateGlobalPromoCodes, (ctx, input) =>
    uploadGlobalCodes(ctx, input),
  ),

  // uninstalls
  look('/uninstalls', 'view', contract.panelUninstalls, (ctx, { query }) => listUninstalls(ctx, query)),
  file('/uninstalls.csv', 'export', contract.panelUninstallsFile, (ctx, { query }) => exportUninstalls(ctx, query)),

  // phones
  stream('/phones/stream', 'view', contract.panelPhonesStream, (ctx, input) => watchPhones(ctx, input)),
  ask('/phones', 'operate', contract.panelAddPhone, (ctx, { body }) => addPhone(ctx, body)),
  ask('/phones/:id', 'operate', contract.panelUsePhone, (ctx, { params, body }) =>
    usePhone(ctx, { ...body, ...params }),
  ),
  del('/phones/:id', 'operate', contract.panelRemovePhone, (ctx, { params }) => removePhone(ctx, params)),
  get('/crowd', 'view', contract.panelCrowd, (ctx) => readCrowd(ctx)),
  putOutward('/crowd', 'operate', contract.panelSetCrowd, (ctx, { body }) => setCrowd(ctx, body)),
  get('/moods', 'view', contract.panelFaultPresets, (ctx) => readFaultPresets(ctx)),
  putOutward('/moods/:provider', 'operate', contract.panelSetFaultPreset, (ctx, { params, body }) =>
    setFaultPreset(ctx, { ...params, mood: body.mood }),
  ),

  // settings
  get('/app', 'view', contract.getApp, (ctx) => getOwnApp(ctx)),
  put('/app', 'settings', contract.changeApp, (ctx, { body }) => changeApp(ctx, body)),
  post('/app/identitySecret', 'settings', contract.replaceIdentitySecret, (ctx) => replaceIdentitySecret(ctx)),
  get('/tokens', 'settings', contract.panelTokens, async (ctx) => (await listTokens(ctx)).map(showToken)),
  post('/tokens', 'settings', contract.panelCreateToken, async (ctx, { body: { expiresAt, ...named } }) =>
    showNewToken(ctx, await createToken(ctx, { ...named, ...(expiresAt && { expiresAt: new Date(expiresAt) }) })),
  ),
  put('/tokens/:id/origins', 'settings', contract.panelChangeOrigins, async (ctx, { params, body }) =>
    showToken(await changeOrigins(ctx, { ...body, ...params })),
  ),
  del('/tokens/:id', 'settings', contract.panelRevokeToken, async (ctx, { params }) => {
    const { revokedAt, ...token } = await revokeToken(ctx, params)
    return { ...token, revokedAt: revokedAt.getTime() }
  }),
  get('/providers', 'settings', contract.listProviders, (ctx) => listProviders(ctx)),
  putOutward('/providers/:provider', 'settings', contract.setProvider, (ctx, { params, body }) =>
    setProvider(ctx, { ...params, sent: body }),
  ),
  ask('/providers/:provider/check', 'settings', contract.checkProvider, (ctx, { params }) =>
    checkProvider(ctx, params),
  ),
  post('/providers/:provider/resume', 'settings', contract.resumeProvider, (ctx, { params }) =>
    resumeProvider(ctx, params),
  ),
  del('/providers/:provider', 'settings', contract.removeProvider, (ctx, { params, query }) =>
    removeProvider(ctx, { ...query, ...params }),
  ),
  get('/webhooks', 'settings', contract.listWebhooks, (ctx) => listWebhooks(ctx)),
  postOutward('/webhooks', 'settings', contract.createWebhook, (ctx, { body }) => createWebhook(ctx, body)),
  putOutward('/webhooks/:id', 'settings', contract.replaceWebhook, (ctx, { params, body }) =>
    replaceWebhook(ctx, { ...body, ...params }),
  ),
  post('/webhooks/:id/secret', 'settings', contract.replaceWebhookSecret, (ctx, { params }) =>
    replaceWebhookSecret(ctx, params),
  ),
  post('/webhooks/:id/enable', 'settings', contract.enableWebhook, (ctx, { params }) => enableWebhook(ctx, params)),
  ask('/webhooks/:id/test', 'settings', contract.testWebhook, (ctx, { params }) => testWebhook(ctx, params)),
  look('/webhooks/:id/attempts', 'settings', contract.webhookAttempts, (ctx, { params, query }) =>
    listWebhookAttempts(ctx, { ...query, ...params }),
  ),
  del('/webhooks/:id', 'settings', contract.deleteWebhook, (ctx, { params }) => deleteWebhook(ctx, params)),
  get('/images', 'settings', contract.listImages, async (ctx, { query, baseUrl }) =>
    withUrls(await listImages(ctx, query), baseUrl()),
  ),
  del('/images/:hash', 'settings', contract.deleteImage, (ctx, { params }) => deleteImage(ctx, params)),
  look('/usage', 'settings', contract.getUsage, (ctx, { query }) => readUsage(ctx, query)),
  get('/retention', 'settings', contract.panelRetention, (ctx) => getRetention(ctx)),
  put('/retention', 'settings', contract.panelChangeRetention, (ctx, { body }) => changeRetention(ctx, body)),
  get('/members', 'settings', contract.panelMembers, (ctx) => listMembers(ctx)),
  post('/members', 'settings', contract.panelInviteMember, (ctx, { body }) => inviteMember(ctx, body)),
  post('/members/:id/link', 'settings', contract.panelMemberLink, (ctx, { params }) => renewMemberLink(ctx, params)),
  put('/members/:id/role', 'settings', contract.panelChangeRole, (ctx, { params, body }) =>
    changeRole(ctx, { ...body, ...params }),
  ),
  del('/members/:id', 'settings', contract.panelRemoveMember, (ctx, { params }) => removeMember(ctx, params)),
  look('/audit', 'settings', contract.panelAudit, (ctx, { query }) => listAudit(ctx, query)),
]
