import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { AppFrame } from './shell/AppFrame.tsx'
import { Entrance } from './shell/Entrance.tsx'
import { loadPage } from './shell/load-page.ts'
import { NoSuchPage } from './shell/NoSuchPage.tsx'
import { PageCrash } from './shell/PageCrash.tsx'
import { loadPageTexts } from './texts/load-texts.ts'

const root = createRootRoute({ component: Outlet, notFoundComponent: NoSuchPage, errorComponent: PageCrash })

const entrance = createRoute({ getParentRoute: () => root, path: '/', component: Entrance })
const enter = createRoute({
  getParentRoute: () => root,
  path: '/enter',
  component: lazyRouteComponent(() => loadPage(() => import('./pages/login/EnterPage.tsx')), 'EnterPage'),
})
const app = createRoute({ getParentRoute: () => root, path: '/$app', component: AppFrame })
const appStart = createRoute({
  getParentRoute: () => app,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/$app/overview', params, replace: true })
  },
})

// biome-ignore lint/suspicious/noExplicitAny: pages of every kind
type PageModule = Promise<Record<string, any>>

/** The page that an app opens with, whose texts are there from the beginning. */
function firstPage(path: string, load: () => PageModule, name: string) {
  return createRoute({ getParentRoute: () => app, path, component: lazyRouteComponent(() => loadPage(load), name) })
}

/** Any other page of an app, loaded with its texts when it is opened. */
function page(path: string, load: () => PageModule, name: string) {
  return firstPage(path, async () => (await Promise.all([load(), loadPageTexts()]))[0], name)
}

/** Every page of the panel. */
const pages = [
  firstPage('/overview', () => import('./pages/overview/OverviewPage.tsx'), 'OverviewPage'),
  page('/send', () => import('./pages/send/SendPage.tsx'), 'SendPage'),
  page('/messages', () => import('./pages/messages/MessagesPage.tsx'), 'MessagesPage'),
  page('/messages/$id', () => import('./pages/messages/MessagePage.tsx'), 'MessagePage'),
  page('/calendar', () => import('./pages/calendar/CalendarPage.tsx'), 'CalendarPage'),
  page('/approvals/$id', () => import('./pages/approvals/ApprovalPage.tsx'), 'ApprovalPage'),
  page('/series/$id', () => import('./pages/series/SeriesPage.tsx'), 'SeriesPage'),
  page('/campaigns', () => import('./pages/campaigns/CampaignsPage.tsx'), 'CampaignsPage'),
  page('/campaigns/$trackId', () => import('./pages/campaigns/CampaignPage.tsx'), 'CampaignPage'),
  page('/templates', () => import('./pages/templates/TemplatesPage.tsx'), 'TemplatesPage'),
  page('/segments', () => import('./pages/segments/SegmentsPage.tsx'), 'SegmentsPage'),
  page('/segments/new', () => import('./pages/segments/SegmentPage.tsx'), 'SegmentPage'),
  page('/segments/$id', () => import('./pages/segments/SegmentPage.tsx'), 'SegmentPage'),
  page('/users', () => import('./pages/users/UsersPage.tsx'), 'UsersPage'),
  page('/users/$userId', () => import('./pages/users/UserPage.tsx'), 'UserPage'),
  page('/events', () => import('./pages/events/EventsPage.tsx'), 'EventsPage'),
  page('/events/$name', () => import('./pages/events/EventPage.tsx'), 'EventPage'),
  page('/channels', () => import('./pages/channels/ChannelsPage.tsx'), 'ChannelsPage'),
  page('/promo', () => import('./pages/promo/PromoPage.tsx'), 'PromoPage'),
  page('/uninstalls', () => import('./pages/uninstalls/UninstallsPage.tsx'), 'UninstallsPage'),
  page('/phones', () => import('./pages/phones/PhonesPage.tsx'), 'PhonesPage'),
  page('/settings', () => import('./pages/settings/SettingsPage.tsx'), 'SettingsPage'),
  page('/settings/$tab', () => import('./pages/settings/SettingsPage.tsx'), 'SettingsPage'),
]

export const router = createRouter({
  routeTree: root.addChildren([entrance, enter, app.addChildren([appStart, ...pages])]),
  basepath: '/panel',
  defaultPreload: 'intent',
  defaultErrorComponent: PageCrash,
  defaultNotFoundComponent: NoSuchPage,
  scrollRestoration: true,
  // Values in addresses stay the texts they are: an id of digits is no number.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (values) => {
    const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== '')
    return given.length === 0 ? '' : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
  },
})
