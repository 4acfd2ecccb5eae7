import sql from 'sql-template-tag'
import type { PeykDatabase } from '../subjects/peyk.ts'

/** What a page of the panel asks: a path under the app, and a body where it is too long for a URL. */
export interface Question {
  page: string
  path: string
  body?: object
  /** It counts through an audience, exactly: that takes as long as the audience is large. See the segment bench. */
  countsAudience?: true
}

/** Of the app that data/history.ts makes: its largest message, a campaign of many messages, a user of many. */
export async function listQuestions({ store, appId }: PeykDatabase): Promise<Question[]> {
  const [found] = await store.query<{
    big: string
    waiting: string
    group: string
    segment: string
    installation: string
    code: string
  }>(sql`
    select (select id from messages where app_id = ${appId} and audience = 'public') as big,
      (select id from messages where app_id = ${appId} and paused_at is not null order by id desc limit 1) as waiting,
      (select id from messages where app_id = ${appId} and audience = 'query' and paused_at is null order by id desc limit 1) as "group",
      (select segment_id from segments where app_id = ${appId} limit 1) as segment,
      (select id from installations where app_id = ${appId} order by installation_no limit 1) as installation,
      (select code from promo_given where app_id = ${appId} limit 1) as code`)
  const { big, waiting, group, segment, installation, code } = found as NonNullable<typeof found>
  const rule = (name: string, operator: string, value: unknown) => ({ name, operator, value })
  const rare = { all: [rule('tags', 'include', ['vip']), rule('deviceType', 'equal_to', 'ios')] }
  const broad = { all: [rule('deviceType', 'equal_to', 'android'), rule('launchCount', 'greater_equals', 5)] }
  const of = (page: string, ...paths: string[]): Question[] => paths.map((path) => ({ page, path }))
  return [
    ...of('overview', '/overview?days=7', '/overview?days=90'),
    { page: 'send', path: '/send/count', body: { product: 'message', user: '*' }, countsAudience: true },
    { page: 'send', path: '/send/count', body: { product: 'message', segment: rare }, countsAudience: true },
    { page: 'send', path: '/send/count', body: { product: 'message', users: ['user-1', 'user-2', 'nobody'] } },
    { page: 'send', path: '/send/person', body: {} },
    { page: 'send', path: '/send/person', body: { userId: 'user-7' } },
    { page: 'send', path: '/send/person', body: { among: { product: 'message', segment: rare } } },
    {
      page: 'send',
      path: '/send/plan',
      body: { product: 'message', content: 'Hello', segment: rare },
      countsAudience: true,
    },
    {
      page: 'send',
      path: '/send/plan',
      body: { product: 'message', content: 'Hello', user: '*' },
      countsAudience: true,
    },
    { page: 'send', path: '/send/render', body: { product: 'message', content: 'Hello', for: { userId: 'user-1' } } },
    ...of('send', '/send/people', '/send/people?search=user-7', '/send/codes?trackId=campaign-1'),
    ...of('messages', '/messages', '/messages?kind=group', '/messages?kind=personal', '/messages?trackId=campaign-1'),
    ...of('messages', '/messages?search=user-1', '/messages?search=words%20of%20message', '/messages?search=nowhere'),
    ...of('message', `/messages/${big}`, `/messages/${group}`, `/messages/${big}/deliveries`),
    ...of('message', `/messages/${big}/deliveries?state=opened`, `/messages/${big}/deliveries?state=ended&reason=gone`),
    ...of('message', `/messages/${big}/deliveries?state=queued`, `/messages/${big}/deliveries?userId=user-9`),
    ...of('message', `/messages/${big}/deliveries?deviceType=web`, `/messages/${big}/deliveries?deviceType=tv`),
    ...of(
      'message',
      `/messages/${waiting}`,
      `/messages/${waiting}/deliveries`,
      `/messages/${waiting}/deliveries?deviceType=web`,
    ),
    ...of('message', `/messages/${big}/explain?user=user-9`),
    ...of('campaigns', '/campaigns', '/campaigns?search=campaign', '/campaigns/campaign-1', '/campaigns/campaign-150'),
    ...of('segments', '/segments', `/segments/${segment}`, '/segments/fields'),
    ...of(
      'segments',
      ...['tags', 'tags.city', 'userId', 'channel', 'attributes.plan', 'clientVersion', 'language'].map(
        (name) => `/segments/suggestions?name=${name}`,
      ),
    ),
    ...[rare, broad].flatMap((segment): Question[] => [
      { page: 'segments', path: '/segments/count', body: { segment }, countsAudience: true },
      { page: 'segments', path: '/segments/sample', body: { segment } },
    ]),
    ...of(
      'users',
      '/users',
      '/users?search=user-12',
      '/users?search=vip',
      '/users?search=city%3Dtehran',
      `/users?search=${installation}`,
    ),
    ...of('user', ...['', '/events', '/messages', '/codes'].map((what) => `/users/user-1${what}`)),
    ...of(
      'events',
      '/events/names',
      '/events/names?search=event%201',
      '/events/one?name=event%201&days=90',
      '/events/one?name=event%20290',
    ),
    ...of('events', '/events?limit=50', '/events?eventName=event%203'),
    { page: 'channels', path: '/channels', countsAudience: true },
    ...of('promo', '/promo', `/promo/codes?code=${code}`, '/promo/codes?code=nowhere', '/promo/codes?user=user-1'),
    ...of(
      'uninstalls',
      '/uninstalls?days=90',
      '/uninstalls?days=90&type=churn&platform=web',
      '/uninstalls?days=90&platform=other',
    ),
    ...of('settings', '/app', '/tokens', '/providers', '/webhooks', '/retention', '/members', '/audit'),
  ]
}

/** As a table shows it: ids say nothing. */
export function nameQuestion({ path, body }: Question): string {
  const shown = path.replace(/[0-9a-f-]{36}/g, '<id>')
  return body ? `${shown} ${JSON.stringify(body).slice(0, 60)}` : shown
}

export async function findBigMessage({ store, appId }: PeykDatabase): Promise<string> {
  const [message] = await store.query<{ id: string }>(
    sql`select id from messages where app_id = ${appId} and audience = 'public'`,
  )
  return message?.id as string
}
